"""Tools as sparse vectors of tf-idf weights, and the pairs of them that are alike.

A weight is (1 + ln count) · ln(1 + tools / tools with the term); vectors have length 1, so that a product of two is their cosine.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

Terms = NDArray[np.int32]
"""A document, each of its terms a number."""
_NONE = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class Sparse:
    """`terms` (rarest first) and `weights` of all vectors in a row; vector n lies between `starts[n]` and `starts[n + 1]`."""

    starts: NDArray[np.int64]
    terms: Terms
    weights: NDArray[np.float64]
    vocabulary: int


def rarity(held_by: int, tools: int) -> float:
    return log(1 + tools / held_by)


def weight(count: int, rare: float) -> float:
    return (1 + log(count)) * rare


def numbered(documents: Iterable[Sequence[str]]) -> list[Terms]:
    """The terms of each document, as often as they stand in it, sorted: numbers in the order of the alphabet."""
    numbers: dict[str, int] = {}
    found = [np.fromiter((numbers.setdefault(term, len(numbers)) for term in one), np.int32) for one in documents]
    places = np.empty(len(numbers), np.int32)
    places[[numbers[term] for term in sorted(numbers)]] = np.arange(len(numbers))
    return [np.sort(places[one]) for one in found]


def sparse(documents: Sequence[Terms]) -> Sparse:
    """The vector of each document."""
    counts = [np.unique(document, return_counts=True) for document in documents]
    starts = np.cumsum([0, *(len(terms) for terms, _ in counts)])
    terms = np.concatenate([_NONE, *(terms for terms, _ in counts)])
    times = np.concatenate([_NONE, *(times for _, times in counts)])
    held = np.bincount(terms)
    ranks = np.empty(len(held), np.int32)
    ranks[np.argsort(held, kind="stable")] = np.arange(len(held))
    rarities = np.array([rarity(max(number, 1), len(documents)) for number in held.tolist()])
    heavier = np.array([weight(max(count, 1), 1.0) for count in range(times.max(initial=0) + 1)])
    weights = heavier[times] * rarities[terms] if len(terms) else np.empty(0)
    return _in_order(Sparse(starts, ranks[terms] if len(terms) else _NONE, weights, len(held)))


def _in_order(vectors: Sparse) -> Sparse:
    """Each vector's terms rarest first, and its length 1."""
    for start, end in pairwise(vectors.starts.tolist()):
        order = np.argsort(vectors.terms[start:end]) + start
        weights = vectors.weights[order]
        vectors.terms[start:end] = vectors.terms[order]
        vectors.weights[start:end] = weights / float(np.cumsum(weights * weights)[-1:].sum()) ** 0.5
    return vectors


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


def same(documents: Sequence[Terms]) -> list[list[int]]:
    """Documents by number, those of the same terms together, each group in order."""
    keys = sorted((document.astype(">i4").tobytes(), number) for number, document in enumerate(documents))
    return [[number for _, number in group] for _, group in groupby(keys, key=lambda pair: pair[0])]
