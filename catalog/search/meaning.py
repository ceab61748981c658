"""How near the tools of a corpus are to a query in meaning, and what that adds to a score made of words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Corpus
from catalog.search.explanation import Explanation, fact, product_of
from catalog.search.vectors import NoVectorsError

MEANING = 1.0
"""What the nearest meaning counts, as a share of the best score of the words."""
NEAREST = 20
"""Tools without a word of the query that may be found by their meaning alone."""
LEAST = 0.25
"""The cosine that such a tool has at least: unrelated texts reach 0.2."""
DIGITS = 6
"""Of a cosine: what 32-bit arithmetic has beyond them differs from row to row, for the same text too."""
NOT_SET_UP = "There is no model that compares meanings: PEGBOARD_EMBEDDINGS names one, as docs/settings.md tells."

Array = NDArray[np.float64]


def similarities(corpus: Corpus, query: str) -> Array:
    """The cosine of the query with each tool, from -1 to 1, in corpus order. Raises NoVectorsError."""
    vectors = corpus.vectors
    if vectors is None:
        raise NoVectorsError(NOT_SET_UP)
    matrix = vectors.matrix
    if matrix is None:
        made = f"{vectors.made:,} of {len(corpus.tools):,} tools have vectors so far."
        raise NoVectorsError(f"{made} {vectors.problem}".strip())
    if not corpus.tools:
        return np.zeros(0)
    cosines: Array = (matrix @ vectors.query(query)).astype(np.float64)
    return cosines.round(DIGITS)


def meaning_problem(corpus: Corpus, query: str) -> str:
    """Why the query cannot be compared with the tools, as a sentence; empty if it can."""
    try:
        similarities(corpus, query)
    except NoVectorsError as error:
        return str(error)
    return ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What meaning adds, in corpus order: the share that a cosine is of the best, times the best score of the words."""

    gains: Array
    cosines: Array
    best: float
    scale: float

    def told(self, place: int) -> Explanation:
        cosine = float(self.cosines[place])
        factors = (
            fact(cosine / self.best, f"cosine {cosine:.2f}, of {self.best:.2f} that the nearest has"),
            fact(self.scale, "best score of the words"),
            fact(MEANING, "weight of the meaning"),
        )
        return product_of("its meaning is near to the query’s", factors, field="meaning")


def meaning_of(cosines: Array, words: Array, chosen: NDArray[np.bool_]) -> Meaning | None:
    """`words` are the scores of the words. None if nothing is near."""
    counted = np.where((words > 0) | _nearest(np.where(chosen & (words == 0), cosines, 0.0)), cosines, 0.0)
    best = float(counted.max(initial=0.0))
    if best <= 0:
        return None
    scale = float(words.max(initial=0.0)) or 1.0
    return Meaning(np.maximum(counted, 0.0) / best * scale * MEANING, cosines, best, scale)


def _nearest(cosines: Array) -> NDArray[np.bool_]:
    """The NEAREST of these, as far as they are near."""
    least = np.partition(cosines, -NEAREST)[-NEAREST] if len(cosines) > NEAREST else 0.0
    return cosines >= max(least, LEAST)
