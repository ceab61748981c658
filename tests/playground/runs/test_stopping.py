"""A run is stopped after each of its events, and in between: its record ends right, and nothing of it goes on."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog
from playground.agent.events import Event, RunEnded
from playground.agent.loop import run_agent
from playground.models import ChatModel, Run
from playground.runs import assembling, executing
from playground.runs.executing import STOPPED, begin, stop
from playground.runs.reading import state_at
from playground.runs.steps import call_of
from tests.playground.runs.doubles import PlannedModel, calls, says

PLAN = (
    calls("search_tools", '{"query": "invoices"}'),
    calls("team__notify_user", '{"to": "Ada"}'),
    says("Ada ", "knows."),
)


class StoppedAt:
    """Stands for the agent; has the run stopped some turns of the event loop after it gave the event of a number."""

    def __init__(self, count: int, ticks: int) -> None:
        self._count, self._ticks = count, ticks
        self.stopping: asyncio.Task[None] | None = None
        self.run_id: UUID | None = None
        self._agent = run_agent

    async def __call__(self, *args: Any, **options: Any) -> AsyncGenerator[Event, None]:
        number = 0
        async for event in self._agent(*args, **options):
            number += 1
            if number == self._count:
                self.stopping = asyncio.create_task(self._stop())
            yield event

    async def _stop(self) -> None:
        for _ in range(self._ticks):
            await asyncio.sleep(0)
        assert self.run_id
        await stop(self.run_id)


@pytest.fixture
def planned(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> ChatModel:
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: PlannedModel(*PLAN))
    return ChatModel.objects.create(title="Planned", name="planned/model")


@pytest.mark.parametrize("ticks", [0, 3, 40])
async def test_a_run_stopped_anywhere_ends_right_in_its_record(
    team: Catalog,
    planned: ChatModel,
    monkeypatch: pytest.MonkeyPatch,
    events_of: Callable[[UUID], list[Event]],
    ticks: int,
) -> None:
    presenter = await User.objects.acreate(username="p")
    whole = await _record(team, planned, presenter, events_of)
    assert whole[-1] == RunEnded("completed")
    ends = set()
    for count in range(1, len(whole) + 1):
        agent = StoppedAt(count, ticks)
        with monkeypatch.context() as patch:
            patch.setattr(executing, "run_agent", agent)
            events = await _record(team, planned, presenter, events_of, agent)
        assert agent.stopping is not None
        await agent.stopping
        assert events[-1] in (STOPPED, RunEnded("completed"))
        assert sum(isinstance(event, RunEnded) for event in events) == 1
        kinds = [event.kind for event in events[:-1]]
        assert kinds == [event.kind for event in whole[: len(kinds)]]
        ends.add(events[-1])
    assert STOPPED in ends


async def _record(
    team: Catalog,
    model: ChatModel,
    by: User,
    events_of: Callable[[UUID], list[Event]],
    agent: StoppedAt | None = None,
) -> list[Event]:
    """The events of one run, of which no task is left and no step is open."""
    run: Run = await begin(team, model, "Tell Ada", by)
    if agent:
        agent.run_id = run.pk
    async with asyncio.timeout(20):
        await executing.ended(run.pk)
    await asyncio.sleep(0)
    assert run.pk not in executing._executions
    await run.arefresh_from_db()
    state = await asyncio.to_thread(state_at, run.pk)
    assert not run.is_unfinished and run.status == state.summary.status
    assert all(call.state not in ("asked", "sent") for step in state.steps if (call := call_of(step)))
    return await asyncio.to_thread(events_of, run.pk)
