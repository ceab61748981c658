"""Cutting a list of hits at the top k, keeping the first of those below to be shown."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from catalog.search.explanation import Explanation
from catalog.search.ranking import Cut, Hit, Ranking
from catalog.tools import ToolSpec

LEAST = float(np.nextafter(0.0, 1.0))
"""The smallest score above 0."""
SHOWN_CUT = 10
"""Hits below a cut that a ranking still tells of."""


def cut_at(limit: int, hits: Sequence[Hit], by: str = "top-k") -> tuple[tuple[Hit, ...], tuple[Cut, ...]]:
    """The first `limit` hits, and the cut below them if there are more. A limit below 0 is 0."""
    kept, rest = tuple(hits[: max(limit, 0)]), tuple(hits[max(limit, 0) :][:SHOWN_CUT])
    if not rest:
        return kept, ()
    return kept, (Cut(f"{by} {max(limit, 0)}", (kept or rest)[-1 if kept else 0].score, rest),)


def above(least: float, ranking: Ranking) -> Ranking:
    """The ranking without the hits that score `least` or less, which are told as cut (M-10)."""
    kept = tuple(hit for hit in ranking.hits if hit.score > least)
    dropped = ranking.hits[len(kept) :]
    if not dropped:
        return ranking
    return replace(ranking, hits=kept, cuts=(Cut(f"minScore {least:g}", least, dropped), *ranking.cuts))


def told_hits(told: Iterable[tuple[Explanation, int]], tools: Sequence[ToolSpec]) -> list[Hit]:
    """Hits in the order of their explanations, each with its tool's place; that may differ from the arrays in the last bit."""
    ordered = sorted(told, key=lambda pair: (-pair[0].value, pair[1]))
    return [Hit(rank, tools[place], explanation) for rank, (explanation, place) in enumerate(ordered, start=1)]


def best_places(scores: NDArray[np.float64], limit: int, turns: NDArray[np.int64] | None = None) -> list[int]:
    """The places of the best `limit` scores above 0 and of those shown below the cut, best first.

    Equal ones stand in the order of their `turns`, then of their places.
    """
    return top_places(scores, max(limit, 0) + SHOWN_CUT, turns)


def top_places(scores: NDArray[np.float64], most: int, turns: NDArray[np.int64] | None = None) -> list[int]:
    """The places of the best scores above 0, at most `most`, in the order of `best_places`."""
    count = min(int(np.count_nonzero(scores)), most)
    if not count:
        return []
    places = np.flatnonzero(scores >= max(_floor(scores, count), LEAST))
    keys = (-scores[places],) if turns is None else (turns[places], -scores[places])
    best: list[int] = places[np.lexsort(keys)][:count].tolist()
    return best


def _floor(scores: NDArray[np.float64], count: int) -> float:
    """A score that at least `count` reach, and few more: each of as many groups of scores has one. Quicker than sorting."""
    rows = max(1, int(np.sqrt(len(scores) / count)))
    best = scores[: len(scores) // rows * rows].reshape(rows, -1).max(axis=0)
    return float(np.partition(best, -count)[-count])
