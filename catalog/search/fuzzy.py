"""The fallback of the mcpagent document, for a pattern that matched nothing: substring, then words, then characters.

The document names the three stages, their order and the limit of five (P-8). No version of its program has them, so
what a match counts is Pegboard's own: the constants below.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation, best_of, fact, product_of, sum_of
from catalog.search.likeness import Likeness
from catalog.search.reading import MAX_LENGTH, read_query, spoken_terms
from catalog.search.vocabulary import Vocabulary
from catalog.search.words import index_words, term_of

WHOLE_IN_NAME, WHOLE_IN_DESCRIPTION = 2.0, 1.0
"""What the whole query counts in a text; the share of the text that it fills is added."""
MIN_WHOLE = 3
"""Characters of a query that is sought as a whole."""
SAME, BEGINNING, ABBREVIATION, IN_DESCRIPTION = 3.0, 2.0, 1.0, 1.0
"""What a word of the query counts: it is in the name, begins or is begun by a word there, abbreviates one, or is in the
description."""
MIN_BEGINNING = 3
ALIKE = 0.6
"""How alike words must be, of 1; `wether` and `weather` are by 0.86, `cat` and `create` by 0.5."""
ALIKE_IN_DESCRIPTION = 0.5
"""What likeness to a word of the description counts, likeness to one of the name counting 1."""
BREVITY = 0.1
"""Added, divided by the number of words in the name, so that of like matches the shortest name comes first."""

_SEPARATORS = re.compile(r"[\W_]+")
_SYNTAX = re.compile(r"\(\?[A-Za-z-]*[:)]|\(\?P?<\w*>|\\[A-Za-z]")
"""Parts of a pattern that have letters and are no words."""

Evidence = tuple[Explanation, Sequence[int]]
"""What speaks for some tools, and their places."""
Said = tuple[str, dict[int, list[Explanation]]]
"""A word of the query, and what speaks for each place because of it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The stage that found something, in words, and the tools' places with their explanations, best first."""

    stage: str
    tools: Sequence[tuple[int, Explanation]]
    matched: int


class Fuzzy:
    """The fallback over the tools of a corpus, which are told by their places in it."""

    def __init__(self, corpus: Corpus) -> None:
        tools = corpus.tools
        self._plain = [(_plain(tool.name), _plain(tool.description)) for tool in tools]
        self._names = Vocabulary(tool.name for tool in tools)
        self._descriptions = Vocabulary(tool.description for tool in tools)
        self._likeness = Likeness({**self._names.places, **self._descriptions.places})

    def search(self, query: str, allowed: Collection[int], count: int) -> Found | None:
        """The best `count` tools of the first stage that finds any of those allowed."""
        asked = _SYNTAX.sub(" ", query[:MAX_LENGTH])
        words = _words(asked)
        stages: tuple[tuple[str, Sequence[str], Callable[[str], Iterable[Evidence]]], ...] = (
            ("the whole query as a substring", [_plain(asked)], self._substrings),
            ("the words of the query", words, self._same_words),
            ("the likeness of words", words, self._alike_words),
        )
        for stage, asked_for, evidence in stages:
            said = [(word, _by_tool(evidence(word), allowed)) for word in asked_for]
            if any(found for _, found in said):
                return Found(stage, *self._best(said, count))
        return None

    def _best(self, said: Sequence[Said], count: int) -> tuple[list[tuple[int, Explanation]], int]:
        """The tools with the highest sums over the words, equal ones in catalog order; and how many there were."""
        scores: dict[int, float] = {}
        for _, found in said:
            for place, told in found.items():
                scores[place] = scores.get(place, 0.0) + max(part.value for part in told)
        scores = {place: score + self._brevity(place).value for place, score in scores.items()}
        ranked = sorted(scores, key=lambda place: (-scores[place], place))[:count]
        best = [(place, self._sum(said, place)) for place in ranked]
        return sorted(best, key=lambda found: (-found[1].value, found[0])), len(scores)

    def _sum(self, said: Sequence[Said], place: int) -> Explanation:
        words = [best_of(f"“{word}”", found[place]) for word, found in said if place in found]
        return sum_of("what each word adds", (*words, self._brevity(place)))

    def _brevity(self, place: int) -> Explanation:
        words = self._plain[place][0].count(" ") + 1
        return fact(BREVITY / words, f"its name has {words} word{'' if words == 1 else 's'}", field="name")

    def _substrings(self, query: str) -> Iterator[Evidence]:
        if len(query) < MIN_WHOLE:
            return
        for place, (name, description) in enumerate(self._plain):
            if query in name:
                yield _whole(query, name, WHOLE_IN_NAME, "name"), (place,)
            if query in description:
                yield _whole(query, description, WHOLE_IN_DESCRIPTION, "description"), (place,)

    def _same_words(self, word: str) -> Iterator[Evidence]:
        names, descriptions = self._names, self._descriptions
        ways = (
            (SAME, names.same(word), ""),
            (BEGINNING, names.begun(word, MIN_BEGINNING), ", which begins alike"),
            (ABBREVIATION, names.abbreviated(word), f", which “{word}” may stand for"),
        )
        for value, others, how in ways:
            for other in others:
                yield _fact(value, f"its name has “{other}”{how}", "name", other), names.places[other]
        for other in descriptions.same(word):
            told = _fact(IN_DESCRIPTION, f"its description has “{other}”", "description", other)
            yield told, descriptions.places[other]

    def _alike_words(self, word: str) -> Iterator[Evidence]:
        weight = fact(ALIKE_IN_DESCRIPTION, "weight of the description")
        for other, alike in self._likeness.to(word, ALIKE):
            told = _fact(alike, f"its name has “{other}”, {alike:.0%} like “{word}”", "name", other)
            yield told, self._names.places.get(other, ())
            less = (weight, fact(alike, f"“{word}” and “{other}” are {alike:.0%} alike"))
            told = product_of(f"its description has “{other}”, {alike:.0%} like “{word}”", less, field="description")
            yield replace(told, term=term_of(other)), self._descriptions.places.get(other, ())


def _plain(text: str) -> str:
    """Lower case, with one space for each run of separators."""
    return _SEPARATORS.sub(" ", text).strip().lower()


def _words(query: str) -> list[str]:
    spoken = spoken_terms(query)
    return [spoken.get(term, term).lower() for word in read_query(query) for term in word.terms]


def _fact(value: float, reason: str, field: str, word: str) -> Explanation:
    return replace(fact(value, reason, field=field), term=term_of(word))


def _whole(query: str, text: str, value: float, field: str) -> Explanation:
    share = len(query) / len(text)
    weight = fact(value, f"weight of the whole query in the {field}")
    told = sum_of(f"its {field} has “{query}”", (weight, fact(share, f"its share of the {field}")), field=field)
    return replace(told, term=" ".join(word.term for word in index_words(query)))


def _by_tool(evidence: Iterable[Evidence], allowed: Collection[int]) -> dict[int, list[Explanation]]:
    found: dict[int, list[Explanation]] = {}
    for told, places in evidence:
        for place in places:
            if place in allowed:
                found.setdefault(place, []).append(told)
    return found
