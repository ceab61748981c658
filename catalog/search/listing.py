"""The sources that a fusion asks, each a score of every tool for a text: what it finds stands above 0 (S-5)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from catalog.search.arithmetic import BOOSTS
from catalog.search.engine import Corpus
from catalog.search.like import Like
from catalog.search.meaning import similarities
from catalog.search.places import Places
from catalog.search.reading import MAX_LENGTH, MAX_TERMS, read_query
from catalog.search.vectors import NoVectorsError
from catalog.search.words import is_common

Scores = NDArray[np.float64]
Source = Callable[[str], Scores]
"""The score of each tool of a corpus, in its order."""

TITLES = {"like": "LIKE", "bm25": "BM25", "vector": "vectors"}
NEAR = 0.1
"""The cosine that a tool has at least to be found by its meaning, as in the engine Vector."""


def bm25_scores(corpus: Corpus, text: str) -> Scores:
    """What the engine Whoosh BM25F scores."""
    places = corpus.shared(Places)
    scores = np.zeros(places.postings.size + 1)
    for term in (term for word in read_query(text) for term in word.terms):
        for field, boost in BOOSTS.items():
            if found := places.postings.term(field, term):
                scores[found.documents] += boost * found.weights
    return scores[places.documents]


def vector_scores(corpus: Corpus, text: str) -> Scores:
    """What the engine Vector scores; nothing where meanings cannot be compared."""
    try:
        cosines = similarities(corpus, text[:MAX_LENGTH].strip())
    except NoVectorsError:
        return np.zeros(len(corpus.tools))
    return np.where(cosines >= NEAR, cosines, 0.0)


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
