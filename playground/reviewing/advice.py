"""Advice on what a catalog shows from the start: chosen on the older two thirds of its runs, held against the newest third."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playground.reviewing.pinned_figures import Figures, PinnedRuns
from playground.reviewing.pinned_runs import Assumed, PinnedRun, search_turns_of
from playground.reviewing.pinning import best_of, curve
from playground.reviewing.trails import Trail

LEAST_RUNS = 20
"""Runs without which no advice is given."""
LEAST_NEEDED = 2
"""Runs that must have needed a tool for it to be chosen: one is no evidence that others will."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A list, what the older runs would have cost with it, and the newest; `cheaper`: in how many of those than with the present."""

    pins: frozenset[str]
    older: Figures
    newest: Figures
    cheaper: int


@dataclass(frozen=True, slots=True)
class Advice:
    """`points` have the best list of each length from 0 on, `present` is the list as it is, `best` is one of `points`.

    `older` and `newest` are the runs. `searches_seen` is false where no run tells how many turns a search takes.
    """

    points: tuple[Checked, ...]
    present: Checked
    best: Checked
    older: PinnedRuns
    newest: PinnedRuns
    assumed: Assumed
    searches_seen: bool
    chosen_from: tuple[str, ...]

    def run_by_run(self, pins: frozenset[str]) -> list[tuple[Figures, Figures]]:
        """Of each run, the oldest first: its figures with the list as it is, and with another."""
        return [
            (part.of_run(run, self.present.pins), part.of_run(run, pins))
            for part in (self.older, self.newest)
            for run in part.runs
        ]


@dataclass(frozen=True, slots=True)
class Lists:
    """What lists may hold: `prices` are the tokens of each tool, `present` those on the list now. Tools that are `fixed` stay
    in view whatever is advised."""

    prices: Mapping[str, int]
    present: frozenset[str]
    fixed: frozenset[str] = frozenset()


def advise(trails: Sequence[Trail], lists: Lists, cached: float = 1.0, turn_worth: float = 0.0) -> Advice | None:
    """`trails` are of runs that hid tools, the oldest first; None where they are fewer than LEAST_RUNS."""
    if len(trails) < LEAST_RUNS:
        return None
    runs = [PinnedRun.of(trail) for trail in trails]
    cut = len(runs) * 2 // 3
    search_turns = search_turns_of(runs[:cut])
    assumed = Assumed(cached, search_turns if search_turns is not None else 1.0)
    tools = _often_needed(trails[:cut], lists)
    among = frozenset(tools) | lists.present
    older, newest = (PinnedRuns(part, among, lists.prices, assumed, lists.fixed) for part in (runs[:cut], runs[cut:]))

    def checked(pins: frozenset[str]) -> Checked:
        return Checked(pins, older.with_pins(pins), newest.with_pins(pins), newest.cheaper(pins, lists.present))

    chosen = curve(older, tools, turn_worth)
    points = tuple(checked(one.pins) for one in chosen)
    best = points[chosen.index(best_of(chosen, turn_worth))]
    seen = search_turns is not None
    return Advice(points, checked(lists.present), best, older, newest, assumed, seen, tools)


def _often_needed(trails: Sequence[Trail], lists: Lists) -> tuple[str, ...]:
    """Tools that a list may have and that LEAST_NEEDED runs called with success, those of most runs first."""
    counted = Counter(tool for trail in trails for tool in trail.called)
    often = (tool for tool, runs in counted.items() if runs >= LEAST_NEEDED)
    free = (tool for tool in often if tool in lists.prices and tool not in lists.fixed)
    return tuple(sorted(free, key=lambda tool: (-counted[tool], tool)))
