"""The sources that a fusion asks, each a score of every tool for a text: what it finds stands above 0 (S-5)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Corpus
from catalog.search.like import Like
from catalog.search.meaning import similarities
from catalog.search.reading import MAX_TERMS, read_query
from catalog.search.sums import TermSums
from catalog.search.words import is_common

Scores = NDArray[np.float64]
Source = Callable[[str], Scores]
"""The score of each tool of a corpus, in its order."""

TITLES = {"like": "LIKE", "bm25": "BM25", "vector": "vectors"}


def bm25_scores(corpus: Corpus, text: str) -> Scores:
    """What the engine Whoosh BM25F scores."""
    sums, scores = corpus.shared(TermSums), np.zeros(len(corpus.tools))
    for term in (term for word in read_query(text) for term in word.terms):
        sums.add(term, scores)
    return scores


def vector_scores(corpus: Corpus, least: float, text: str) -> Scores:
    """What the engine Vector scores; no text means nothing. Raises NoVectorsError."""
    if not text:
        return np.zeros(len(corpus.tools))
    cosines = similarities(corpus, text)
    return np.where(cosines >= least, np.maximum(cosines, 0.0), 0.0)


class LikeWords:
    """LIKE for texts of many words: a tool needs a share of those that are not common, and counts what the engine LIKE counts.

    Made for one search, in whose texts the same words come again.
    """

    def __init__(self, corpus: Corpus, share: float) -> None:
        self._like = Like(corpus)
        self._share = share
        self._size = len(corpus.tools)
        self._known: dict[str, Scores] = {}

    def scores(self, text: str) -> Scores:
        said = list(dict.fromkeys(text.casefold().split()))
        words = [word for word in said if not is_common(word)][:MAX_TERMS] or said[:1]
        points, found = np.zeros(self._size), np.zeros(self._size)
        for word in words:
            points += self._points(word)
            found += self._points(word) > 0
        return np.where(found >= self._share * len(words), points, 0.0)

    def _points(self, word: str) -> Scores:
        if word not in self._known:
            self._known[word] = self._like.points(word)
        return self._known[word]
