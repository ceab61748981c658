"""What figures of some queries say of others like them: intervals, differences, and when they cannot tell.

docs/evaluations.md derives every formula. Resampling is seeded: the same figures always give the same interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

RESAMPLES = 10_000
SEED = 20_261_122
LEVEL, POWER = 0.95, 0.8
LEAST_DIFFERING = 6
"""Queries that have to differ: of five, all to one side happens by chance in one case of sixteen (sign test)."""
ROWS = 500
"""Resamples drawn at once, so that thousands of queries fit into memory."""

Outcome = Literal["better", "worse", "same", "unsure"]
Values = Sequence[float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and between what it lies for other queries like these, at 95 %."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more the second has than the first over the same `count` queries, of which `differing` differ.

    `more` is about how many further queries would tell, were they like these; None where no number can be said.
    """

    outcome: Outcome
    interval: Interval
    count: int
    differing: int
    more: int | None = None


def interval_of(values: Values, level: float = LEVEL) -> Interval:
    """The percentile bootstrap of the mean (Efron 1979). Raises ValueError on no value."""
    if not values:
        raise ValueError("there is no value to take the mean of")
    array = np.asarray(values, dtype=float)
    means = _resampled_means(array)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(array.mean()), float(low), float(high))


def difference(before: Values, after: Values, comparisons: int = 1) -> Difference:
    """The paired bootstrap of two lists of the same queries. Of several comparisons each has to be surer (Bonferroni).

    Raises ValueError if the lists are of different lengths, or empty.
    """
    if len(before) != len(after):
        raise ValueError("paired values are of the same queries")
    level = 1 - (1 - LEVEL) / comparisons
    deltas = [b - a for a, b in zip(before, after, strict=True)]
    interval = interval_of(deltas, level)
    differing = sum(delta != 0 for delta in deltas)
    if not differing:
        return Difference("same", interval, len(deltas), 0)
    if differing >= LEAST_DIFFERING and not interval.low <= 0 <= interval.high:
        return Difference("better" if interval.mean > 0 else "worse", interval, len(deltas), differing)
    return Difference("unsure", interval, len(deltas), differing, more_needed(deltas, level))


def more_needed(deltas: Values, level: float = LEVEL) -> int | None:
    """About how many more: n = ((z(level) + z(power)) · s / d)², and enough of them that LEAST_DIFFERING differ.

    None where the mean is 0: then no number tells.
    """
    count, mean = len(deltas), float(np.mean(deltas))
    if abs(mean) < 1e-12:
        return None
    spread = float(np.std(deltas, ddof=1)) if count > 1 else 0.0
    normal = NormalDist()
    needed = ((normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(POWER)) * spread / mean) ** 2
    differing = sum(delta != 0 for delta in deltas) / count
    return max(1, ceil(needed) - count, ceil(LEAST_DIFFERING / differing) - count)


def share(successes: float, trials: int) -> Interval:
    """Wilson's interval of a rate (1927), for trials that are not grouped; one can be a success in part. Raises ValueError on no trial."""
    if not trials:
        raise ValueError("there is no trial")
    z, rate = NormalDist().inv_cdf((1 + LEVEL) / 2), successes / trials
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale
    return Interval(rate, max(0.0, middle - half), min(1.0, middle + half))


def _resampled_means(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    random, count = np.random.default_rng(SEED), len(values)
    draws = (values[random.integers(0, count, (ROWS, count))].mean(axis=1) for _ in range(RESAMPLES // ROWS))
    return np.concatenate(list(draws))
