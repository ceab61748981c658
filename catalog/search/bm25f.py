"""BM25F as Whoosh computes it, over every field of a tool, each score a sum."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.arithmetic import BOOSTS, AskedTerm, ask, explain
from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.documents import FIELDS
from catalog.search.engine import Corpus
from catalog.search.places import Places
from catalog.search.postings import Postings
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.reading import limit_notes, read_query, spoken_terms, word_notes
from catalog.search.spelling import spelling_notes, with_near


class WhooshBm25f:
    slug: ClassVar[str] = "bm25f"
    title: ClassVar[str] = "Whoosh BM25F"
    summary: ClassVar[str] = "Words and their stems in every field of a tool; rare words and names count most."
    query_help: ClassVar[str] = "Words that say what the tool should do, such as: send message channel"

    def __init__(self, corpus: Corpus) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._tools = corpus.tools
        self._postings = Postings(corpus.index)
        self._places = Places(corpus, self._postings)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        words = with_near(read_query(query), self._postings)
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
        found = ((field, term, self._postings.term(field, term)) for field in FIELDS for term in terms)
        size = self._postings.size
        return [ask(field, term, spoken.get(term, term), entry, size) for field, term, entry in found if entry]

    def _scores(self, asked: Sequence[AskedTerm]) -> NDArray[np.float64]:
        """The score of each tool, in corpus order; 0 for one that does not match or is not in the index."""
        scores = np.zeros(self._postings.size + 1)
        for term in asked:
            scores[term.postings.documents] += BOOSTS[term.field] * term.postings.weights
        return scores[self._places.documents]

    def _explained(self, tools: Sequence[int], asked: Sequence[AskedTerm]) -> list[Hit]:
        told = ((explain(self._postings, int(self._places.documents[tool]), asked), tool) for tool in tools)
        return told_hits(told, self._tools)
