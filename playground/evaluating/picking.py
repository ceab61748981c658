"""The trials, and the tasks, that a number on the page of an evaluation counts, by the words that its address has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from playground.evaluating.figures import Trial, rates_of
from playground.models import Run, TaskTrial

OWN = "own"
"""How an address names the mode that the catalog has."""
_WHICH: Mapping[str, tuple[str, Callable[[TaskTrial], bool]]] = {
    "measured": ("that were measured", lambda one: one.success is not None),
    "succeeded": ("that succeeded", lambda one: bool(one.success)),
    "broke-off": (
        "whose run broke off",
        lambda one: one.success is not None and one.status != Run.Status.COMPLETED,
    ),
    "other-calls": ("with calls that their task does not take", lambda one: one.success is not None and one.extra > 0),
    "missing": ("that are not measured", lambda one: one.success is None),
}


@dataclass(frozen=True, slots=True)
class PickedTrials:
    """`title` says which they are; `counts_calls` that a number counts their other calls, and not them."""

    title: str
    trials: tuple[TaskTrial, ...]
    counts_calls: bool


def trials_asked(trials: Sequence[TaskTrial], which: str, mode: str, titles: Mapping[str, str]) -> PickedTrials | None:
    """Those of a mode, or of all where its title is not known; None where `which` is no word for any."""
    if which not in _WHICH:
        return None
    told, is_wanted = _WHICH[which]
    slug = "" if mode == OWN else mode
    wanted = [one for one in trials if is_wanted(one) and (not mode or one.mode == slug)]
    of_mode = f", {titles[slug]}" if mode and slug in titles else ""
    return PickedTrials(f"Trials {told}{of_mode}", tuple(wanted), which == "other-calls")


def tasks_that_differ(measured: Sequence[Trial], pair: str) -> set[int] | None:
    """The tasks that two modes succeeded in differently often; `pair` names both, with a comma between. None where it does not."""
    first, comma, second = pair.partition(",")
    if not comma:
        return None
    rates = [
        rates_of([one for one in measured if one.mode == ("" if mode == OWN else mode)]) for mode in (first, second)
    ]
    return {task for task, rate in rates[0].items() if task in rates[1] and rates[1][task] != rate}
