"""What trials say of the modes: how often each succeeded, what it took, and which of two is better, task by task.

docs/evaluations.md derives the intervals. Trials that are not measured count nowhere.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from catalog.evaluating.statistics import Difference, Interval, difference, share


@dataclass(frozen=True, slots=True)
class Trial:
    """One that was measured. `task` is the place of its task; `cost` is in dollars, None where no price is known."""

    task: int
    mode: str
    success: bool
    broke_off: bool
    extra: int
    turns: int
    tokens: int
    cost: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class ModeFigures:
    """`interval` is None while nothing was measured, and so are the means of what a trial took; `extra` counts calls for no need."""

    mode: str
    successes: int
    trials: int
    broke_off: int
    extra: int
    interval: Interval | None = None
    turns: float | None = None
    tokens: float | None = None
    cost: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The second mode against the first, over the tasks that both were measured on; None where there is none."""

    first: str
    second: str
    difference: Difference | None


def by_mode(modes: Sequence[str], trials: Sequence[Trial]) -> list[ModeFigures]:
    return [_figures(mode, [trial for trial in trials if trial.mode == mode]) for mode in modes]


def pairs(modes: Sequence[str], trials: Sequence[Trial]) -> list[Pair]:
    """Every two modes. Each comparison has to be surer, the more there are (Bonferroni)."""
    rates = {mode: rates_of([trial for trial in trials if trial.mode == mode]) for mode in modes}
    both = list(combinations(modes, 2))
    return [Pair(first, second, _compared(rates[first], rates[second], len(both))) for first, second in both]


def rates_of(trials: Sequence[Trial]) -> dict[int, float]:
    """By task, the share of its trials that succeeded."""
    found: dict[int, list[bool]] = defaultdict(list)
    for trial in trials:
        found[trial.task].append(trial.success)
    return {task: fmean(said) for task, said in found.items()}


def _figures(mode: str, trials: Sequence[Trial]) -> ModeFigures:
    counts = (sum(one.success for one in trials), len(trials), sum(one.broke_off for one in trials))
    extra = sum(one.extra for one in trials)
    if not trials:
        return ModeFigures(mode, *counts, extra)
    costs = [one.cost for one in trials if one.cost is not None]
    return ModeFigures(
        mode,
        *counts,
        extra,
        _interval(rates_of(trials)),
        fmean(one.turns for one in trials),
        fmean(one.tokens for one in trials),
        fmean(costs) if len(costs) == len(trials) else None,
        fmean(one.seconds for one in trials),
    )


def _interval(rates: Mapping[int, float]) -> Interval:
    """Wilson's, with each task counted once: trials of one task are too alike to count as so many."""
    return share(sum(rates.values()), len(rates))


def _compared(first: Mapping[int, float], second: Mapping[int, float], comparisons: int) -> Difference | None:
    shared = [task for task in first if task in second]
    if not shared:
        return None
    return difference([first[task] for task in shared], [second[task] for task in shared], comparisons)
