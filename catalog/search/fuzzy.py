"""The fallback of the mcpagent document, for a pattern that matched nothing: substring, then words, then characters.

The document names the three stages, their order and the limit of five (P-8). No version of its program has them, so
what a match counts is Pegboard's own: the constants below.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import top_places
from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation, best_of, fact, product_of, sum_of
from catalog.search.likeness import WordLikeness
from catalog.search.plain_texts import PlainTexts, plain
from catalog.search.reading import MAX_LENGTH, read_query, spoken_terms
from catalog.search.vocabulary import DescriptionWords, NameWords
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

_SYNTAX = re.compile(r"\(\?[A-Za-z-]*[:)]|\(\?P?<\w*>|\\[A-Za-z]")
"""Parts of a pattern that have letters and are no words."""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for some tools, told by their places, ascending: what it counts for each, and in words."""

    places: NDArray[np.int32]
    values: Values | float
    tell: Callable[[int], Explanation]

    def says(self, place: int) -> bool:
        at = int(self.places.searchsorted(place))
        return at < len(self.places) and bool(self.places[at] == place)


@dataclass(frozen=True, slots=True)
class Said:
    """A word of the query, and what speaks for tools because of it; the best of it counts."""

    word: str
    evidence: Sequence[Evidence]

    def values(self, tools: int) -> Values:
        best = np.zeros(tools)
        for one in self.evidence:
            best[one.places] = np.maximum(best[one.places], one.values)
        return best

    def tell(self, place: int) -> Explanation:
        return best_of(f"“{self.word}”", [one.tell(place) for one in self.evidence if one.says(place)])


@dataclass(frozen=True, slots=True)
class Found:
    """The stage that found something, in words, and the tools' places with their explanations, best first."""

    stage: str
    tools: Sequence[tuple[int, Explanation]]
    matched: int


class Fuzzy:
    """The fallback over the tools of a corpus, which are told by their places in it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._texts = corpus.shared(PlainTexts)

    def search(self, query: str, allowed: NDArray[np.bool_], count: int) -> Found | None:
        """The best `count` tools of the first stage that finds any of those allowed."""
        asked = _SYNTAX.sub(" ", query[:MAX_LENGTH])
        words = _words(asked)
        stages: tuple[tuple[str, Sequence[str], Callable[[str], Iterable[Evidence]]], ...] = (
            ("the whole query as a substring", [plain(asked)], self._substrings),
            ("the words of the query", words, self._same_words),
            ("the likeness of words", words, self._alike_words),
        )
        for stage, asked_for, evidence in stages:
            said = [Said(word, [*evidence(word)]) for word in asked_for]
            values = [np.where(allowed, one.values(len(allowed)), 0.0) for one in said]
            if any(each.any() for each in values):
                return Found(stage, *self._best(said, sum(values, np.zeros(len(allowed))), count))
        return None

    def _best(self, said: Sequence[Said], values: Values, count: int) -> tuple[list[tuple[int, Explanation]], int]:
        """The tools with the highest sums over the words, equal ones in catalog order; and how many there were."""
        scores = np.where(values > 0, values + BREVITY / self._texts.name_words, 0.0)
        best = [(place, self._sum(said, place)) for place in top_places(scores, count)]
        return sorted(best, key=lambda found: (-found[1].value, found[0])), int(np.count_nonzero(scores))

    def _sum(self, said: Sequence[Said], place: int) -> Explanation:
        told = [explanation for one in said if (explanation := one.tell(place)).parts]
        return sum_of("what each word adds", (*told, self._brevity(place)))

    def _brevity(self, place: int) -> Explanation:
        words = int(self._texts.name_words[place])
        return fact(BREVITY / words, f"its name has {words} word{'' if words == 1 else 's'}", field="name")

    def _substrings(self, query: str) -> Iterator[Evidence]:
        if len(query) < MIN_WHOLE:
            return
        having = [*self._texts.having(query)]
        names = {place: name for place, name, _ in having if query in name}
        descriptions = {place: description for place, _, description in having if query in description}
        fields = (("name", WHOLE_IN_NAME, names), ("description", WHOLE_IN_DESCRIPTION, descriptions))
        for field, value, texts in fields:
            values = np.array([value + len(query) / len(text) for text in texts.values()])
            yield Evidence(np.array([*texts], np.int32), values, _teller(query, texts, value, field))

    def _same_words(self, word: str) -> Iterator[Evidence]:
        names, descriptions = self._corpus.shared(NameWords), self._corpus.shared(DescriptionWords)
        ways = (
            (SAME, names.same(word), ""),
            (BEGINNING, names.begun(word, MIN_BEGINNING), ", which begins alike"),
            (ABBREVIATION, names.abbreviated(word), f", which “{word}” may stand for"),
        )
        for value, others, how in ways:
            for other in others:
                told = _fact(value, f"its name has “{other}”{how}", "name", other)
                yield _alike_everywhere(names.places(other), told)
        for other in descriptions.same(word):
            told = _fact(IN_DESCRIPTION, f"its description has “{other}”", "description", other)
            yield _alike_everywhere(descriptions.places(other), told)

    def _alike_words(self, word: str) -> Iterator[Evidence]:
        names, descriptions = self._corpus.shared(NameWords), self._corpus.shared(DescriptionWords)
        weight = fact(ALIKE_IN_DESCRIPTION, "weight of the description")
        for other, alike in self._corpus.shared(WordLikeness).to(word, ALIKE):
            told = _fact(alike, f"its name has “{other}”, {alike:.0%} like “{word}”", "name", other)
            yield _alike_everywhere(names.places(other), told)
            less = (weight, fact(alike, f"“{word}” and “{other}” are {alike:.0%} alike"))
            told = product_of(f"its description has “{other}”, {alike:.0%} like “{word}”", less, field="description")
            yield _alike_everywhere(descriptions.places(other), replace(told, term=term_of(other)))


def _words(query: str) -> list[str]:
    spoken = spoken_terms(query)
    return [spoken.get(term, term).lower() for word in read_query(query) for term in word.terms]


def _fact(value: float, reason: str, field: str, word: str) -> Explanation:
    return replace(fact(value, reason, field=field), term=term_of(word))


def _alike_everywhere(places: NDArray[np.int32], told: Explanation) -> Evidence:
    """Evidence that says the same of every tool."""
    return Evidence(places, told.value, lambda place: told)


def _teller(query: str, texts: Mapping[int, str], value: float, field: str) -> Callable[[int], Explanation]:
    return lambda place: _whole(query, texts[place], value, field)


def _whole(query: str, text: str, value: float, field: str) -> Explanation:
    share = len(query) / len(text)
    weight = fact(value, f"weight of the whole query in the {field}")
    told = sum_of(f"its {field} has “{query}”", (weight, fact(share, f"its share of the {field}")), field=field)
    return replace(told, term=" ".join(word.term for word in index_words(query)))
