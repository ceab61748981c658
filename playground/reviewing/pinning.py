"""Choosing pre-discovered tools by recorded runs: for each number of them the list that costs least.

Up to EXACT tools to choose from, every list is tried. With more, the best list of each length is made of the best shorter
ones and a tool, or the tools that one search brought: what two tools save together may be nothing for either alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from playground.reviewing.pinned_figures import Figures, PinnedRuns

EXACT = 10
MOST_PINS = 20
MOST_TOOLS = 40
"""Tools that are chosen from, those that most runs needed."""
MOST_BUNDLES = 40
LARGEST_BUNDLE = 3


@dataclass(frozen=True, slots=True)
class Chosen:
    """A list of pre-discovered tools, and what the runs that it was chosen on would have cost."""

    pins: frozenset[str]
    figures: Figures


def curve(runs: PinnedRuns, tools: Sequence[str], turn_worth: float = 0.0) -> list[Chosen]:
    """The list that costs least of each length from 0 on, `turn_worth` being the tokens that a turn counts for besides its own.

    `tools` are those to choose from, the most needed first; more than MOST_TOOLS are not looked at.
    """
    chooser = _Chooser(runs, tuple(tools[:MOST_TOOLS]), turn_worth)
    return chooser.exact() if len(chooser.tools) <= EXACT else chooser.step_by_step()


def best_of(points: Sequence[Chosen], turn_worth: float = 0.0) -> Chosen:
    """The cheapest, and the shortest of those that cost as much."""
    return min(points, key=lambda one: (_worth(one.figures, turn_worth), len(one.pins)))


@dataclass(frozen=True, slots=True)
class _Chooser:
    runs: PinnedRuns
    tools: tuple[str, ...]
    turn_worth: float

    def exact(self) -> list[Chosen]:
        return [
            self._cheapest(map(frozenset, combinations(self.tools, length))) for length in range(len(self.tools) + 1)
        ]

    def step_by_step(self) -> list[Chosen]:
        points = [self._cheapest([frozenset()])]
        bundles = self._bundles()
        for length in range(1, min(MOST_PINS, len(self.tools)) + 1):
            points.append(self._cheapest(self._grown(points, bundles, length)))
        return points

    def _grown(
        self, points: Sequence[Chosen], bundles: Sequence[frozenset[str]], length: int
    ) -> Iterator[frozenset[str]]:
        shorter = points[-1].pins
        yield from (shorter | {tool} for tool in self.tools if tool not in shorter)
        for bundle in bundles:
            for point in points[-LARGEST_BUNDLE:]:
                grown = point.pins | bundle
                if len(grown) == length:
                    yield grown

    def _bundles(self) -> list[frozenset[str]]:
        among = frozenset(self.tools)
        counted: dict[frozenset[str], int] = {}
        for run in self.runs.runs:
            served = {prompt.serves for prompt in run.prompts if prompt.serves}
            for serves in served:
                if 1 < len(serves) <= LARGEST_BUNDLE and serves <= among:
                    counted[serves] = counted.get(serves, 0) + 1
        return sorted(counted, key=lambda bundle: (-counted[bundle], sorted(bundle)))[:MOST_BUNDLES]

    def _cheapest(self, lists: "Iterator[frozenset[str]] | Sequence[frozenset[str]]") -> Chosen:
        """The first in order where two cost the same."""
        found = (Chosen(pins, self.runs.with_pins(pins)) for pins in lists)
        return min(found, key=lambda one: (_worth(one.figures, self.turn_worth), sorted(one.pins)))


def _worth(figures: Figures, turn_worth: float) -> float:
    return round(figures.tokens + turn_worth * figures.turns, 6)
