"""What the lanes of a set, or the trials of an evaluation, may spend together: one budget for their runs and those nested in them.

It lives in the process that started them, which executes them all.
"""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from playground.agent.budget import Budget, Share
from playground.agent.litellm_model import known_prices, longest_answer
from playground.agent.spending import Prices
from playground.models import ChatModel, LaneSet, Run, TaskTrial
from playground.runs.family import ancestors

_budgets: dict[UUID, Budget] = {}


def open_budget(lanes: LaneSet) -> None:
    """Before the first of the runs is executed; where there is a cap."""
    if lanes.cap is not None:
        _budgets[lanes.pk] = Budget(lanes.cap)


def keep_budget(key: UUID, budget: Budget) -> None:
    """For the trials of the evaluation of that key, before the first of them is executed."""
    _budgets[key] = budget


def forget_budget(key: UUID) -> None:
    _budgets.pop(key, None)


def close_when_over(lanes: LaneSet, tasks: "Iterable[asyncio.Task[None]]") -> None:
    """Forget the budget once the last of the runs has ended."""
    left = set(tasks)

    def over(task: "asyncio.Task[None]") -> None:
        left.discard(task)
        if not left:
            forget_budget(lanes.pk)

    for task in list(left):
        task.add_done_callback(over)


def share_of(run: Run) -> Share | None:
    """The run's part in the budget of its lanes or trials, or of those of the run that it is nested in.

    None where nothing is to be shared.
    """
    if not _budgets:
        return None
    top = (run, *ancestors(run))[-1]
    key = top.lane_set_id or TaskTrial.objects.filter(run=top).values_list("evaluation", flat=True).first()
    budget = _budgets.get(key) if key else None
    if budget is None or run.chat_model is None or run.chat_model.is_scripted:
        return None
    model = run.chat_model
    return Share(budget, prices_of(model), longest_answer(model.name, model.base_url))


def prices_of(chat_model: ChatModel) -> Prices | None:
    """None where they are not known. Takes seconds when LiteLLM is first asked."""
    return known_prices(chat_model.name, chat_model.base_url, chat_model.prices)
