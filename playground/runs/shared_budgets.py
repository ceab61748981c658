"""What the lanes of a set may spend together: one budget for the runs of all lanes and those nested in them.

It lives in the process that started them, which executes them all.
"""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from playground.agent.budget import Budget, Share
from playground.agent.litellm_model import known_prices
from playground.agent.spending import Prices
from playground.models import ChatModel, LaneSet, Run
from playground.runs.family import ancestors

_budgets: dict[UUID, Budget] = {}


def open_budget(lanes: LaneSet) -> None:
    """Before the first of the runs is executed; where there is a cap."""
    if lanes.cap is not None:
        _budgets[lanes.pk] = Budget(lanes.cap)


def close_when_over(lanes: LaneSet, tasks: "Iterable[asyncio.Task[None]]") -> None:
    """Forget the budget once the last of the runs has ended."""
    left = set(tasks)

    def over(task: "asyncio.Task[None]") -> None:
        left.discard(task)
        if not left:
            _budgets.pop(lanes.pk, None)

    for task in list(left):
        task.add_done_callback(over)


def share_of(run: Run) -> Share | None:
    """The run's part in the budget of its lanes, or of those of the run that it is nested in; None where nothing is to be shared."""
    top = (run, *ancestors(run))[-1]
    budget = _budgets.get(top.lane_set_id) if top.lane_set_id else None
    if budget is None or run.chat_model is None or run.chat_model.is_scripted:
        return None
    return Share(budget, prices_of(run.chat_model))


def prices_of(chat_model: ChatModel) -> Prices | None:
    """None where they are not known. Takes seconds when LiteLLM is first asked."""
    return known_prices(chat_model.name, chat_model.base_url, chat_model.prices)
