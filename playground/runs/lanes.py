"""Starting lanes together, going on in all of them, and stopping them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from playground.models import LaneSet, Run
from playground.runs.database import write
from playground.runs.executing import start, stop
from playground.runs.shared_budgets import close_when_over, open_budget
from playground.runs.threads import CannotGoOnError, Setup, add_first, add_next

MOST_LANES = 4


@dataclass(frozen=True, slots=True)
class Undertaking:
    """What lanes have in common: the task, in dollars what they may spend together, and the calls that make one a success."""

    task: str
    by: User
    cap: float | None = None
    expected: str = ""


async def begin_lanes(common: Undertaking, setups: Sequence[Setup]) -> LaneSet:
    """A run for each setup, in threads of their own, all under way; one that cannot be run says so in its own record."""
    return await _under_way(partial(_add_first, common, setups))


async def go_on_in_lanes(before: LaneSet, common: Undertaking) -> LaneSet:
    """The same next message in every lane that is left, all under way. Raises CannotGoOnError, and none has gone on."""
    return await _under_way(partial(_add_next, before, common))


async def stop_lanes(lanes: LaneSet, lane: int | None = None) -> None:
    """Have the runs of all lanes, or of one, end as stopped."""
    unfinished = lanes.runs.unfinished() if lane is None else lanes.runs.unfinished().filter(lane=lane)
    async for run in unfinished.order_by("lane"):
        await stop(run.pk)


async def _under_way(add: Callable[[], tuple[LaneSet, list[Run]]]) -> LaneSet:
    lanes, runs = await write(add)
    open_budget(lanes)
    close_when_over(lanes, [start(run).task for run in runs])
    return lanes


@transaction.atomic
def _add_first(common: Undertaking, setups: Sequence[Setup]) -> tuple[LaneSet, list[Run]]:
    lanes = _new_set(common, len(setups))
    return lanes, [add_first(replace(setup, lane_set=lanes, lane=lane)) for lane, setup in enumerate(setups, 1)]


@transaction.atomic
def _add_next(before: LaneSet, common: Undertaking) -> tuple[LaneSet, list[Run]]:
    last = list(before.runs.select_related("catalog", "chat_model", "version").order_by("lane"))
    lanes = _new_set(common, len(last))
    return lanes, [_add_behind(run, lanes, lane, common) for lane, run in enumerate(last, 1)]


def _add_behind(run: Run, lanes: LaneSet, lane: int, common: Undertaking) -> Run:
    """The next run of the lane's thread, made of what that one was made of. Raises CannotGoOnError."""
    if run.catalog is None or run.chat_model is None:
        raise CannotGoOnError(f"The {'catalog' if run.catalog is None else 'model'} of lane {run.lane} was deleted.")
    setup = Setup(run.catalog, run.chat_model, common.task, common.by, run.mode, run.mode_options)
    try:
        return add_next(run.thread_id, run.position, replace(setup, lane_set=lanes, lane=lane))
    except CannotGoOnError as problem:
        raise CannotGoOnError(f"Lane {run.lane}: {problem}") from None


def _new_set(common: Undertaking, lanes: int) -> LaneSet:
    return LaneSet.objects.create(task=common.task, by=common.by, cap=common.cap, expected=common.expected, lanes=lanes)
