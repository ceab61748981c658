"""BM25F as Whoosh computes it, over every field of a tool, each score a sum."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.arithmetic import BOOSTS, AskedTerm, ask, explain
from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.documents import FIELDS
from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation
from catalog.search.orders import Order, settled, told_order
from catalog.search.places import Places
from catalog.search.ranking import Hit, QueryReading, QueryWord, Ranking
from catalog.search.reading import limit_notes, read_query, spoken_terms, word_notes
from catalog.search.settings import TypedSettings, setting
from catalog.search.spelling import spelling_notes, with_near
from catalog.search.sums import TermSums


@dataclass(frozen=True, slots=True)
class FieldWeights(TypedSettings):
    """What a word counts in each field; 0 leaves a field out."""

    name: float = setting(BOOSTS["name"], "Name", least=0, most=10)
    search_text: float = setting(BOOSTS["search_text"], "Search text", "Aliases too.", least=0, most=10)
    tags: float = setting(BOOSTS["tags"], "Tags", "The category too.", least=0, most=10)
    description: float = setting(BOOSTS["description"], "Description", least=0, most=10)
    parameters: float = setting(BOOSTS["parameters"], "Parameters", "Their names and descriptions.", least=0, most=10)
    server: float = setting(BOOSTS["server"], "Server", "Its name and its own text.", least=0, most=10)


DEFAULTS = FieldWeights()


@dataclass(frozen=True, slots=True)
class Found:
    """What a query finds before it is explained: how it was read, each tool's score, and the best places in order."""

    words: tuple[QueryWord, ...]
    scores: NDArray[np.float64]
    best: Sequence[int]

    @property
    def terms(self) -> list[str]:
        return [term for word in self.words for term in word.terms]


class WhooshBm25f:
    slug: ClassVar[str] = "bm25f"
    title: ClassVar[str] = "Whoosh BM25F"
    summary: ClassVar[str] = "Words and their stems in every field of a tool; rare words and names count most."
    query_help: ClassVar[str] = "Words that say what the tool should do, such as: send message channel"
    Settings: ClassVar[type[TypedSettings]] = FieldWeights

    def __init__(self, corpus: Corpus, settings: FieldWeights = DEFAULTS) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._tools = corpus.tools
        self._places = corpus.shared(Places)
        self._boosts = boosts(settings)
        self._sums = corpus.shared(TermSums) if settings == DEFAULTS else TermSums(corpus, self._boosts)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        found = self.find(query, limit, servers)
        words, terms = found.words, found.terms
        hits, cuts = cut_at(limit, self._explained(found.best, self._asked(terms, query)))
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, words, " OR ".join(terms)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(found.scores)),
            searched=self._places.count(servers),
            notes=(*limit_notes(query, words), *spelling_notes(words), *word_notes(words), *self._places.notes()),
        )

    def order(self, query: str, limit: int) -> Order:
        found = self.find(query, limit)
        places = settled(found.best, found.scores, lambda tied: [*self._told(tied, self._asked(found.terms, query))])
        return told_order(self._tools, places, limit)

    def find(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Found:
        """The best `limit` tools and those shown below them, none of them explained."""
        words = with_near(read_query(query), self._places.postings)
        scores = np.zeros(len(self._tools))
        for word in words:
            for term in word.terms:
                self._sums.add(term, scores)
        if servers:
            scores[~self._places.chosen(servers)] = 0.0
        return Found(words, scores, best_places(scores, limit))

    def _asked(self, terms: Sequence[str], query: str) -> list[AskedTerm]:
        """The terms in the fields that have them, in the order of FIELDS."""
        spoken, postings = spoken_terms(query), self._places.postings
        found = [(term, postings.fields(term)) for term in terms]
        return [
            ask(field, term, spoken.get(term, term), fields[field], postings.size, self._boosts[field])
            for field in FIELDS
            for term, fields in found
            if field in fields and self._boosts[field]
        ]

    def _explained(self, tools: Sequence[int], asked: Sequence[AskedTerm]) -> list[Hit]:
        return told_hits(zip(self._told(tools, asked), tools, strict=True), self._tools)

    def _told(self, tools: Sequence[int], asked: Sequence[AskedTerm]) -> Iterator[Explanation]:
        return explain(self._places.postings, self._places.documents[[*tools]], asked)


def boosts(weights: FieldWeights) -> Mapping[str, float]:
    """By field."""
    return {field: getattr(weights, field) for field in FIELDS}
