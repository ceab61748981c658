"""The search that people begin with: every word of the query as a substring, whatever its case. The score is our own."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import best_places, cut_at
from catalog.search.documents import field_text
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation, best_of, fact, sum_of
from catalog.search.ranking import Hit, QueryReading, QueryWord, Ranking
from catalog.search.reading import first_words
from catalog.search.scope import Scope
from catalog.search.settings import DEFAULTS, TypedSettings
from catalog.search.substrings import Substrings
from catalog.tools import ToolSpec

POINTS = {"name": 2.0, "description": 1.0, "search_text": 1.0}
"""What a word of the query counts, by the best field that has it, highest first; aliases are search text."""
_HAS = {"name": "its name has", "description": "its description has", "search_text": "its search text has"}


class FoldedTexts(Scope):
    """What is searched of each tool, by field and without regard to case, as words."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus.tools)
        self.tools = corpus.tools
        self.words = {field: Substrings(_cut(corpus.tools, field), len(corpus.tools)) for field in POINTS}

    def updated(self, corpus: Corpus, changed: Changed) -> "FoldedTexts":
        before, after = ([tools[place] for place in changed] for tools in (self.tools, corpus.tools))
        follower = copy(self)
        follower.tools = corpus.tools
        follower.words = {
            field: words.updated(
                dict(zip(changed, _cut(before, field), strict=True)),
                dict(zip(changed, _cut(after, field), strict=True)),
            )
            for field, words in self.words.items()
        }
        return follower


class Like:
    slug: ClassVar[str] = "like"
    title: ClassVar[str] = "LIKE"
    summary: ClassVar[str] = (
        "Every word as a substring of name, description or search text; 2 points in a name, else 1."
    )
    query_help: ClassVar[str] = "Words or beginnings of words, all of which the tool's text must have: send mess"
    Settings: ClassVar[type[TypedSettings]] = TypedSettings

    def __init__(self, corpus: Corpus, settings: TypedSettings = DEFAULTS) -> None:
        self._tools = corpus.tools
        self._texts = corpus.shared(FoldedTexts)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """A tool that lacks one of the words is left out; equal scores keep the order of the catalog."""
        words, notes = first_words(list(dict.fromkeys(query.casefold().split())))
        points = [self.points(word) for word in words]
        chosen = self._texts.chosen(servers)
        scores = np.where(chosen & _all(points, len(self._tools)), sum(points, np.zeros(len(self._tools))), 0.0)
        hits, cuts = cut_at(limit, list(self._hits(best_places(scores, limit), words)))
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, tuple(map(_read, words, points)), " AND ".join(words)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(scores)),
            searched=int(np.count_nonzero(chosen)),
            notes=notes if words else ("the query is empty",),
        )

    def points(self, word: str) -> NDArray[np.float64]:
        """What the word counts for each tool; 0 where it is not found."""
        points = np.zeros(len(self._tools))
        for field, words in reversed(self._texts.words.items()):
            np.copyto(points, POINTS[field], where=words.containing(word))
        return points

    def _hits(self, places: Iterable[int], words: Sequence[str]) -> Iterator[Hit]:
        for rank, place in enumerate(places, start=1):
            told = [best_of(f"the word “{word}”", self._facts(place, word)) for word in words]
            yield Hit(rank, self._tools[place], sum_of("what each word adds", told))

    def _facts(self, place: int, word: str) -> Iterator[Explanation]:
        texts = _folded(self._tools[place])
        for field, points in POINTS.items():
            if word in texts[field]:
                yield replace(fact(points, f"{_HAS[field]} “{word}”", field=field), letters=word)


def _folded(tool: ToolSpec) -> dict[str, str]:
    return {field: field_text(tool, field).casefold() for field in POINTS}


def _cut(tools: Iterable[ToolSpec], field: str) -> Iterator[list[str]]:
    """The words of a field of each tool."""
    return (field_text(tool, field).casefold().split() for tool in tools)


def _all(points: Iterable[NDArray[np.float64]], size: int) -> NDArray[np.bool_]:
    """Whether every word counts something for a tool."""
    found = np.ones(size, bool)
    for each in points:
        found &= each > 0
    return found


def _read(word: str, points: NDArray[np.float64]) -> QueryWord:
    return QueryWord(word, (word,), unknown=not points.any())
