"""What many runs would have cost with a list of pre-discovered tools, reckoned once for what the list has of each run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from playground.reviewing.pinned_runs import Assumed, Cost, PinnedRun


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a run on average: tokens of its prompts, and turns."""

    tokens: float
    turns: float


@dataclass
class PinnedRuns:
    """`among` are all tools that lists are made of, `prices` their tokens each turn. `fixed` tools are on every list."""

    runs: Sequence[PinnedRun]
    among: frozenset[str]
    prices: Mapping[str, int]
    assumed: Assumed
    fixed: frozenset[str] = frozenset()
    _groups: dict[frozenset[str], list[PinnedRun]] = field(init=False)
    _known: dict[tuple[frozenset[str], frozenset[str]], Cost] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._groups = defaultdict(list)
        for run in self.runs:
            self._groups[run.touches & (self.among | self.fixed)].append(run)

    def with_pins(self, pins: Set[str]) -> Figures:
        """Raises ValueError without runs."""
        if not self.runs:
            raise ValueError("no runs to reckon with")
        tokens = turns = 0.0
        pinned = self.fixed | pins
        whole = sum(self.prices[tool] for tool in pinned)
        for touched in self._groups:
            here = pinned & touched
            cost = self._cost(touched, here)
            elsewhere = whole - sum(self.prices[tool] for tool in here)
            tokens += cost.tokens + cost.each * elsewhere
            turns += cost.turns
        return Figures(tokens / len(self.runs), turns / len(self.runs))

    def cheaper(self, pins: Set[str], other: Set[str]) -> int:
        """In how many runs the tokens with `pins` are fewer than with the `other` list."""
        return sum(self.of_run(run, pins).tokens < self.of_run(run, other).tokens for run in self.runs)

    def of_run(self, run: PinnedRun, pins: Set[str]) -> Figures:
        """Of one of the runs."""
        pinned = self.fixed | pins
        cost = run.with_pins(pinned & run.touches, self.assumed, self.prices)
        elsewhere = sum(self.prices[tool] for tool in pinned - run.touches)
        return Figures(cost.tokens + cost.each * elsewhere, cost.turns)

    def _cost(self, touched: frozenset[str], pins: frozenset[str]) -> Cost:
        if (touched, pins) not in self._known:
            costs = [run.with_pins(pins, self.assumed, self.prices) for run in self._groups[touched]]
            self._known[touched, pins] = _sum(costs)
        return self._known[touched, pins]


def _sum(costs: Iterable[Cost]) -> Cost:
    kept = tuple(costs)
    return Cost(sum(one.tokens for one in kept), sum(one.turns for one in kept), sum(one.each for one in kept))
