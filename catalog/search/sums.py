"""What a term adds to the BM25F score of each tool, its fields added up once for all queries."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from catalog.search.arithmetic import BOOSTS
from catalog.search.engine import Corpus
from catalog.search.places import Places

DENSE = 8
"""A term that one tool in so many has is kept as a sum for each tool: adding them all is quicker than finding those."""

Sums = tuple[NDArray[np.int64] | None, NDArray[np.float64]]
"""Places in corpus order and what the term adds there, or what it adds everywhere."""


class TermSums:
    def __init__(self, corpus: Corpus, boosts: Mapping[str, float] = BOOSTS) -> None:
        """`boosts` say what a word counts in each field."""
        self._places = corpus.shared(Places)
        self._boosts = boosts
        self._known: dict[str, Sums] = {}

    def add(self, term: str, scores: NDArray[np.float64]) -> None:
        """Add what the term is worth to the scores of the tools, in corpus order."""
        if (sums := self._sums(term)) is None:
            return
        at, added = sums
        if at is None:
            scores += added
        else:
            scores[at] += added

    def _sums(self, term: str) -> Sums | None:
        """None if no tool has the term."""
        known = self._known.get(term)
        if known is None and self._places.postings.fields(term):
            known = self._known[term] = self._added_up(term)
        return known

    def _added_up(self, term: str) -> Sums:
        postings = self._places.postings
        sums = np.zeros(postings.size + 1)
        for field, found in postings.fields(term).items():
            sums[found.documents] += self._boosts[field] * postings.weights(field, found)
        sums = sums[self._places.documents]
        at = np.flatnonzero(sums)
        return (None, sums) if DENSE * len(at) > len(sums) else (at, sums[at])
