"""A run is cancelled at any moment: it ends there, no call goes out afterwards, and no task is left."""

import asyncio
from contextlib import aclosing
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.tools import ToolPool, ToolSpec
from playground.agent.chat_model import ModelFailed
from playground.agent.events import CallFinished, CallSent, Event
from playground.agent.limits import Limits
from playground.agent.loop import run_agent
from playground.modes.mcpagent import Mcpagent
from tests.playground.agent.doubles import (
    PlannedModel,
    PlayedTools,
    Turn,
    ask_for,
    collect,
    of_kind,
    say,
    see_all_tasks_end,
)
from tests.playground.modes.conftest import WordEngine

POOL = ToolPool(tuple(ToolSpec(name, "A tool.", server="s") for name in ("get_weather", "list_files")), ("list_files",))
TURNS: tuple[Turn, ...] = (
    ask_for(("search_tools", '{"query": "weather"}')),
    (ModelFailed("refused", "busy"),),
    ask_for(("add_tool", '{"tool_names": ["get_weather"]}')),
    ask_for(("get_weather", "{}"), ("list_files", "{}"), ("made_up", "{}"), ("list_files", "{broken")),
    say("Sunny."),
)


class Follower:
    """Takes the events of one run, as whoever records them does."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.tools = PlayedTools(seconds=0.001)
        self.reached = asyncio.Event()

    async def follow(self, count: int) -> None:
        mode = Mcpagent(POOL, WordEngine(POOL))
        limits = Limits(backoff=0.001)
        run = run_agent(mode, PlannedModel(TURNS), self.tools, "Do", catalog="c", engine="e", limits=limits)
        async with aclosing(run) as events:
            async for event in events:
                self.events.append(event)
                if len(self.events) == count:
                    self.reached.set()
                await asyncio.sleep(0)


@cache
def whole_run() -> tuple[str, ...]:
    mode = Mcpagent(POOL, WordEngine(POOL))
    run = run_agent(
        mode, PlannedModel(TURNS), PlayedTools(), "Do", catalog="c", engine="e", limits=Limits(backoff=0.001)
    )
    return tuple(event.kind for event in collect(run))


async def cancelled(count: int, ticks: int) -> Follower:
    """Cancelled so many turns of the event loop after the event of that number was taken."""
    follower = Follower()
    task = asyncio.create_task(follower.follow(count))
    await follower.reached.wait()
    for _ in range(ticks):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    sent_then = list(follower.tools.calls)
    await see_all_tasks_end()
    assert follower.tools.calls == sent_then
    return follower


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_a_run_that_is_cancelled_anywhere_ends_there(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(whole_run())), label="events")
    follower = asyncio.run(cancelled(count, data.draw(st.integers(0, 12), label="ticks")))
    kinds = tuple(event.kind for event in follower.events)
    assert kinds == whole_run()[: len(kinds)]
    assert len(kinds) >= count
    assert follower.tools.running == 0


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_no_call_that_went_out_lacks_its_event(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(whole_run())), label="events")
    follower = asyncio.run(cancelled(count, data.draw(st.integers(0, 12), label="ticks")))
    sent = [call.tool for call in of_kind(follower.events, CallSent)]
    assert [name for name, _ in follower.tools.calls] == sent[: len(follower.tools.calls)]
    answered = {call.call_id for call in of_kind(follower.events, CallFinished) if call.outcome == "ok"}
    assert len(answered & {call.call_id for call in of_kind(follower.events, CallSent)}) <= len(follower.tools.calls)
