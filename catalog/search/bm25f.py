"""BM25F as Whoosh computes it, over every field of a tool, each score a sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.arithmetic import BOOSTS, AskedTerm, ask, explain
from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.documents import FIELDS
from catalog.search.engine import Corpus
from catalog.search.places import Places
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.reading import limit_notes, read_query, spoken_terms, word_notes
from catalog.search.settings import EngineSettings, setting
from catalog.search.spelling import spelling_notes, with_near


@dataclass(frozen=True, slots=True)
class FieldWeights(EngineSettings):
    """What a word counts in each field; 0 leaves a field out."""

    name: float = setting(BOOSTS["name"], "Name", least=0, most=10)
    search_text: float = setting(BOOSTS["search_text"], "Search text", "Aliases too.", least=0, most=10)
    tags: float = setting(BOOSTS["tags"], "Tags", "The category too.", least=0, most=10)
    description: float = setting(BOOSTS["description"], "Description", least=0, most=10)
    parameters: float = setting(BOOSTS["parameters"], "Parameters", "Their names and descriptions.", least=0, most=10)
    server: float = setting(BOOSTS["server"], "Server", "Its name and its own text.", least=0, most=10)


DEFAULTS = FieldWeights()


class WhooshBm25f:
    slug: ClassVar[str] = "bm25f"
    title: ClassVar[str] = "Whoosh BM25F"
    summary: ClassVar[str] = "Words and their stems in every field of a tool; rare words and names count most."
    query_help: ClassVar[str] = "Words that say what the tool should do, such as: send message channel"
    Settings: ClassVar[type[EngineSettings]] = FieldWeights

    def __init__(self, corpus: Corpus, settings: FieldWeights = DEFAULTS) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._tools = corpus.tools
        self._places = corpus.shared(Places)
        self._boosts = boosts(settings)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        words = with_near(read_query(query), self._places.postings)
        terms = [term for word in words for term in word.terms]
        chosen = self._places.chosen(servers)
        asked = self._asked(terms, query)
        scores = np.where(chosen, self._scores(asked), 0.0)
        hits, cuts = cut_at(limit, self._explained(best_places(scores, limit), asked))
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, words, " OR ".join(terms)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(scores)),
            searched=int(np.count_nonzero(chosen)),
            notes=(*limit_notes(query, words), *spelling_notes(words), *word_notes(words), *self._places.notes()),
        )

    def _asked(self, terms: Sequence[str], query: str) -> list[AskedTerm]:
        """The terms in the fields that have them."""
        spoken = spoken_terms(query)
        found = ((field, term, self._places.postings.term(field, term)) for field in FIELDS for term in terms)
        size = self._places.postings.size
        return [
            ask(field, term, spoken.get(term, term), entry, size, self._boosts[field])
            for field, term, entry in found
            if entry and self._boosts[field]
        ]

    def _scores(self, asked: Sequence[AskedTerm]) -> NDArray[np.float64]:
        """The score of each tool, in corpus order; 0 for one that does not match or is not in the index."""
        scores = np.zeros(self._places.postings.size + 1)
        for term in asked:
            scores[term.postings.documents] += self._boosts[term.field] * term.postings.weights
        return scores[self._places.documents]

    def _explained(self, tools: Sequence[int], asked: Sequence[AskedTerm]) -> list[Hit]:
        told = ((explain(self._places.postings, int(self._places.documents[tool]), asked), tool) for tool in tools)
        return told_hits(told, self._tools)


def boosts(weights: FieldWeights) -> dict[str, float]:
    """By field."""
    return {field: getattr(weights, field) for field in FIELDS}
