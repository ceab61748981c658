"""Tools as sparse vectors of tf-idf weights, and the pairs of them that are alike.

A weight is (1 + ln count) · ln(1 + tools / tools with the term); vectors have length 1, so that a product of two is their cosine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Sparse:
    """`terms` (rarest first) and `weights` of all vectors in a row; vector n lies between `starts[n]` and `starts[n + 1]`."""

    starts: NDArray[np.int64]
    terms: NDArray[np.int64]
    weights: NDArray[np.float64]
    vocabulary: int


def rarity(held_by: int, tools: int) -> float:
    return log(1 + tools / held_by)


def weight(count: int, rare: float) -> float:
    return (1 + log(count)) * rare


def sparse(documents: Sequence[Sequence[str]]) -> Sparse:
    """The vector of each document, a sequence of terms."""
    counts = [Counter(document) for document in documents]
    held = Counter(term for count in counts for term in count)
    ranks = {term: rank for rank, (term, _) in enumerate(sorted(held.items(), key=lambda pair: (pair[1], pair[0])))}
    rarities = {term: rarity(number, len(documents)) for term, number in held.items()}
    starts, terms, weights = [0], list[int](), list[float]()
    for count in counts:
        row = sorted((ranks[term], weight(number, rarities[term])) for term, number in count.items())
        length = sum(part * part for _, part in row) ** 0.5
        terms.extend(rank for rank, _ in row)
        weights.extend(part / length for _, part in row)
        starts.append(len(terms))
    return Sparse(np.array(starts, np.int64), np.array(terms, np.int64), np.array(weights, np.float64), len(ranks))


def alike(vectors: Sparse, least: float) -> Iterator[tuple[int, int, float]]:
    """Every pair (a < b) whose cosine is `least` or more, and no other.

    Only pairs that share a term of both prefixes are compared: the rest of a vector after its prefix is shorter than `least`,
    and could not reach it (Bayardo, Ma, Srikant: Scaling up all pairs similarity search, 2007). Terms stand rarest first, so
    that few share one.
    """
    seen: dict[int, list[int]] = {}
    dense = np.zeros(vectors.vocabulary)
    for number in range(len(vectors.starts) - 1):
        start, end = vectors.starts[number], vectors.starts[number + 1]
        terms, weights = vectors.terms[start:end], vectors.weights[start:end]
        prefix = terms[: _prefix(weights, least)].tolist()
        before = sorted({other for term in prefix for other in seen.get(term, ())})
        dense[terms] = weights
        yield from _near(vectors, dense, number, np.array(before, np.int64), least)
        dense[terms] = 0
        for term in prefix:
            seen.setdefault(term, []).append(number)


def _prefix(weights: NDArray[np.float64], least: float) -> int:
    """How many terms come before a rest that is shorter than `least`."""
    rests = np.cumsum(weights[::-1] ** 2)[::-1]
    return int(np.count_nonzero(rests >= least * least - 1e-9))


def _near(
    vectors: Sparse, dense: NDArray[np.float64], number: int, others: NDArray[np.int64], least: float
) -> Iterator[tuple[int, int, float]]:
    if not len(others):
        return
    starts = vectors.starts[others]
    sizes = vectors.starts[others + 1] - starts
    ends = np.cumsum(sizes)
    places = np.arange(ends[-1]) + np.repeat(starts - (ends - sizes), sizes)
    cosines = np.add.reduceat(dense[vectors.terms[places]] * vectors.weights[places], ends - sizes)
    for place in np.flatnonzero(cosines >= least - 1e-9).tolist():
        yield int(others[place]), number, min(1.0, float(cosines[place]))


def same(documents: Sequence[Sequence[str]]) -> list[list[int]]:
    """Documents by number, those of the same terms together, each group in order."""
    keys = [(sorted(document), number) for number, document in enumerate(documents)]
    groups = groupby(sorted(keys), key=lambda pair: pair[0])
    return [[number for _, number in group] for _, group in groups]
