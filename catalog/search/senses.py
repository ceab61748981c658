"""What a word of a query may stand for in the tools: itself, a synonym, or the word that was meant by a slip."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalog.search.ranking import QueryWord
from catalog.search.synonyms import SYNONYMS
from catalog.search.weighing import TermWeights, Weighing
from catalog.search.words import term_of

SYNONYM = 0.4
"""What a synonym counts of the word itself."""
SLIP = 0.5
"""What the nearest word of the tools counts for one that no tool has."""


@dataclass(frozen=True, slots=True)
class Sense:
    """A term to look for, what to call it, and what it counts, which is 1 for the word itself."""

    term: str
    called: str
    discount: float
    why: str
    weights: TermWeights


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A term of the query in its senses, the word itself first where a tool has it. In a tool, the best sense counts."""

    term: str
    senses: tuple[Sense, ...]

    @property
    def itself(self) -> Sense | None:
        return next((sense for sense in self.senses if sense.term == self.term), None)


def asked_words(words: Sequence[QueryWord], spoken: Mapping[str, str], weighing: Weighing) -> list[AskedWord]:
    """The terms that at least one tool has in some sense. A term that is asked already is nobody's synonym."""
    asked = {term for word in words for term in word.terms}
    found = []
    for word in words:
        for number, term in enumerate(word.terms):
            near = word.near if number == 0 else ""
            senses = tuple(_with_weights(_meant(term, spoken.get(term, term), near, asked), weighing))
            if senses:
                found.append(AskedWord(term, senses))
    return found


def final_query(asked: Iterable[AskedWord]) -> str:
    """The query as it was asked in the end, for a reader."""
    said = (" | ".join(sense.called for sense in word.senses) for word in asked)
    return " OR ".join(f"({senses})" if "|" in senses else senses for senses in said)


Meant = tuple[str, str, float, str]


def _meant(term: str, called: str, near: str, asked: set[str]) -> Iterator[Meant]:
    yield term, called, 1.0, ""
    for synonym, other in SYNONYMS.get(term, {}).items():
        if synonym not in asked:
            yield synonym, other, SYNONYM, f"a synonym of “{called}”"
    if near and term_of(near) not in asked:
        yield term_of(near), near, SLIP, f"the word nearest to “{called}”"


def _with_weights(meant: Iterable[Meant], weighing: Weighing) -> Iterator[Sense]:
    for term, called, discount, why in meant:
        weights = weighing.term(term)
        if weights is not None:
            yield Sense(term, called, discount, why, weights)
