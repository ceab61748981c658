"""Edits that might help an edited tool, taken from the queries that lack it and the tools that stand in its place.

What is proposed is words of these queries, never any others; whether they help is for the what-if to say.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from catalog.lint.telling_apart import VAGUE, Words
from catalog.search.documents import field_texts
from catalog.search.words import index_words, is_common
from catalog.tools import ToolSpec
from catalog.whatif.shifts import Shift, lacking

MOST = 6
"""Edits that are tried."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Words to add to the search text. `queries` lack the tool and have them; `sibling` is what they tell the tool from.

    Without a sibling they are words that the tool lacks.
    """

    words: str
    queries: int
    sibling: str = ""


def suggestions(tool: ToolSpec, shifts: Sequence[Shift], siblings: Iterable[ToolSpec], k: int) -> list[Suggestion]:
    """From the queries that should find the tool and do not return it among the first `k`. `siblings` are tools by their keys."""
    failing = lacking(tool.key, shifts, k)
    found = chain(_lacking(tool, failing), _telling(tool, failing, {one.key: one for one in siblings}))
    return list({one.words: one for one in found}.values())[:MOST]


def _lacking(tool: ToolSpec, failing: Sequence[Shift]) -> Iterator[Suggestion]:
    """The commonest words of the queries that the tool lacks, one by one, then all of them."""
    said = {word.term for text in field_texts(tool).values() for word in index_words(text)}
    counted: Counter[str] = Counter()
    written: dict[str, str] = {}
    for shift in failing:
        words = {term: word for term, word in _words(shift.query.text) if term not in said and term not in VAGUE}
        counted.update(words.keys())
        written = {**words, **written}
    commonest = counted.most_common(MOST - 2)
    yield from (Suggestion(written[term], queries) for term, queries in commonest)
    if len(commonest) > 1:
        yield Suggestion(" ".join(written[term] for term, _ in commonest), len(failing))


def _telling(tool: ToolSpec, failing: Sequence[Shift], siblings: dict[str, ToolSpec]) -> Iterator[Suggestion]:
    """Words of the tool that the tool taken in its place lacks, as far as the queries have them."""
    taken = Counter(shift.after.kept[0] for shift in failing if shift.after.kept)
    for key, queries in taken.most_common(2):
        if (sibling := siblings.get(key)) is None:
            continue
        asked = {term for shift in failing if shift.after.kept[:1] == (key,) for term, _ in _words(shift.query.text)}
        lacking = Words.of(tool).lacking(Words.of(sibling))
        telling = [word for word in lacking if any(one.term in asked for one in index_words(word))]
        if telling:
            yield Suggestion(" ".join(telling[:4]), queries, sibling.name)


def _words(text: str) -> Iterator[tuple[str, str]]:
    for word in index_words(text):
        said = text[word.start : word.end]
        if not is_common(said):
            yield word.term, said.lower()
