"""In which order an engine ranks tools, without a word on why."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Engine
from catalog.search.explanation import Explanation
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec

NEAR = 1e-9
"""The share of a score below which arrays and explanations may order two tools differently."""


@dataclass(frozen=True, slots=True)
class Order:
    """The keys (`server/name`) of the tools that a search returns, best first, and of those it tells of below its cuts."""

    kept: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    def rank(self, key: str) -> int | None:
        """From 1, over kept and cut tools alike; None for one that is not told of."""
        told = (*self.kept, *self.below)
        return told.index(key) + 1 if key in told else None


@runtime_checkable
class Ordering(Protocol):
    """An engine that can tell its order for far less than it takes to explain it."""

    def order(self, query: str, limit: int) -> Order:
        """The order of what `search` finds, over every server."""
        ...


def order_of(engine: Engine, query: str, limit: int) -> Order:
    return engine.order(query, limit) if isinstance(engine, Ordering) else order_in(engine.search(query, limit))


def order_in(ranking: Ranking) -> Order:
    below = (hit.tool.key for cut in ranking.cuts if not cut.refused for hit in cut.hits)
    return Order(tuple(hit.tool.key for hit in ranking.hits), tuple(below))


def told_order(tools: Sequence[ToolSpec], places: Sequence[int], limit: int) -> Order:
    """The order of `cutting.cut_at` over the tools in these places, best first."""
    keys = [tools[place].key for place in places]
    return Order(tuple(keys[: max(limit, 0)]), tuple(keys[max(limit, 0) :]))


def settled(
    places: Sequence[int], scores: NDArray[np.float64], tell: Callable[[Sequence[int]], Sequence[Explanation]]
) -> list[int]:
    """The places in the order of `cutting.told_hits`: of scores that are all but equal the explanations decide."""
    return [place for group in _groups(places, scores) for place in _told(group, tell)]


def _told(group: list[int], tell: Callable[[Sequence[int]], Sequence[Explanation]]) -> list[int]:
    if len(group) == 1:
        return group
    told = zip(tell(group), group, strict=True)
    return [place for _, place in sorted((-explanation.value, place) for explanation, place in told)]


def _groups(places: Sequence[int], scores: NDArray[np.float64]) -> Iterator[list[int]]:
    group: list[int] = []
    for place in places:
        if group and scores[group[-1]] - scores[place] > NEAR * scores[place]:
            yield group
            group = []
        group.append(place)
    if group:
        yield group
