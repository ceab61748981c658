"""Playing the trials of evaluations in the background: a few runs at a time, under one cap, until all ended or no more are begun."""

import asyncio
import logging
from collections import deque
from contextvars import Context
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User

from catalog.origins import Origin, coming_from, current_origin
from catalog.repeating import repeat
from playground.agent.budget import Budget
from playground.evaluating.trials import State, add_run, end, end_left_behind, keep_outcome, missing, spent
from playground.models import TaskEvaluation
from playground.runs import executing
from playground.runs.database import write
from playground.runs.shared_budgets import forget_budget, keep_budget

log = logging.getLogger(__name__)

AT_ONCE = 2
"""Trials of one evaluation."""
LOOK_EVERY = 5.0
_playing: dict[UUID, "asyncio.Task[None]"] = {}


def play(row: TaskEvaluation, by: User) -> None:
    """Have the trials that are missing played by this process, which must own the evaluation. To be called on the event loop."""
    task = asyncio.create_task(_play_all(row, by, current_origin()), context=Context(), name=f"trials of {row.pk}")
    _playing[row.pk] = task
    task.add_done_callback(partial(_forget, row.pk))


def is_playing(pk: UUID) -> bool:
    """Whether this process still sees to its trials, also after it was stopped."""
    return pk in _playing


async def played(pk: UUID) -> None:
    """Wait until no trial of it is under way in this process."""
    if task := _playing.get(pk):
        await asyncio.wait({task})


async def interrupt_all() -> None:
    """Begin no further trial, and have the evaluations of this process say that they were interrupted."""
    for task in list(_playing.values()):
        task.cancel()
    if tasks := list(_playing.values()):
        await asyncio.wait(tasks)


async def keep_looking() -> None:
    """For evaluations that another process left behind."""
    await repeat(partial(write, end_left_behind), LOOK_EVERY, "evaluations left behind could not be looked for")


async def _play_all(row: TaskEvaluation, by: User, origin: Origin) -> None:
    state = State.INTERRUPTED
    try:
        with coming_from(origin):
            budget = await _open_budget(row)
            left = deque(await write(missing, row))
            async with asyncio.TaskGroup() as group:
                for _ in range(AT_ONCE):
                    group.create_task(_play_some(left, by, budget))
        state = State.CAPPED if budget and budget.is_reached else State.DONE
    except Exception:
        log.exception("the trials of evaluation %s could not be played", row.pk)
        state = State.FAILED
    finally:
        forget_budget(row.pk)
        await write(end, row.pk, state)


async def _open_budget(row: TaskEvaluation) -> Budget | None:
    if row.cap is None:
        return None
    budget = Budget(row.cap, await write(spent, row), "All trials together")
    keep_budget(row.pk, budget)
    return budget


async def _play_some(left: deque[int], by: User, budget: Budget | None) -> None:
    """One after the other, as long as there are any."""
    while left and not (budget and budget.is_reached):
        trial = left.popleft()
        run = await write(add_run, trial, by)
        if run is None:
            return
        executing.start(run)
        await executing.ended(run.pk)
        await write(keep_outcome, trial, bool(budget and budget.is_reached))


def _forget(pk: UUID, task: "asyncio.Task[None]") -> None:
    _playing.pop(pk, None)
    if not task.cancelled() and (error := task.exception()):
        log.error("evaluation %s could not be ended", pk, exc_info=error)
