"""Fifty runs at once in one process: each is whole, in order, and its own."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog
from playground.agent.chat_model import CallPiece, ChatMessage, Finished, Piece, TextPiece
from playground.agent.events import CallFinished, CallMade, Event, RunEnded, RunStarted, TextStreamed
from playground.models import ChatModel, Run
from playground.runs import assembling
from playground.runs.executing import begin, ended

RUNS = 50
WORDS = 40
MOST_THREADS = min(32, (os.cpu_count() or 1) + 4) + 8
"""Those of the pool for work that takes long, one that writes, two that read, and a few of the frameworks' own."""


class EchoingModel:
    """Searches for, calls with, and says again and again the task that it was given; others must never read of it."""

    name = "echo"
    scripted = True
    most_handed = 0

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        task = str(messages[1]["content"])
        turn = sum(message["role"] == "assistant" for message in messages)
        for number in range(WORDS):
            await asyncio.sleep(0)
            yield TextPiece(f"{task}:{turn}.{number} ")
        if turn == 0:
            yield CallPiece(0, "a", "search_tools", f'{{"query": "{task}"}}')
        elif turn == 1:
            yield CallPiece(0, "b", "team__notify_user", f'{{"to": "{task}"}}')
        yield Finished("tool_calls" if turn < 2 else "stop", 10, 1)


@pytest.fixture
def echo(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> ChatModel:
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: EchoingModel())
    return ChatModel.objects.create(title="Echo", name="planned/echo")


async def test_fifty_runs_at_once_are_recorded_whole_in_order_and_apart(
    team: Catalog, echo: ChatModel, events_of: Callable[[UUID], list[Event]]
) -> None:
    presenter = await User.objects.acreate(username="p")
    tasks = [f"task-{number:02}" for number in range(RUNS)]
    runs = await asyncio.gather(*(begin(team, echo, task, presenter) for task in tasks))
    most_threads = before = threading.active_count()
    waiting = asyncio.gather(*(ended(run.pk) for run in runs))
    async with asyncio.timeout(120):
        while not waiting.done():
            most_threads = max(most_threads, threading.active_count())
            await asyncio.wait({waiting}, timeout=0.02)
    for task, run in zip(tasks, runs, strict=True):
        await run.arefresh_from_db()
        assert run.status == Run.Status.COMPLETED
        check(task, await asyncio.to_thread(events_of, run.pk))
    assert most_threads - before <= MOST_THREADS


def check(task: str, events: Sequence[Event]) -> None:
    """Nothing is lost, nothing stands in another order, nothing is of another run."""
    first, last = events[0], events[-1]
    assert isinstance(first, RunStarted) and first.task == task
    assert last == RunEnded("completed")
    text = "".join(event.text for event in events if isinstance(event, TextStreamed))
    assert text.split() == [f"{task}:{turn}.{number}" for turn in range(3) for number in range(WORDS)]
    made = [event for event in events if isinstance(event, CallMade)]
    assert [task in call.arguments for call in made] == [True, True]
    answered = [event for event in events if isinstance(event, CallFinished)]
    assert [call.call_id for call in answered] == ["a", "b"]
    assert [event.kind for event in events if not isinstance(event, TextStreamed)] == [
        "run_started",
        *("offer_made", "model_answered", "call_made", "search_answered", "call_finished"),
        *("offer_made", "model_answered", "call_made", "call_sent", "call_routed", "call_finished"),
        *("offer_made", "model_answered", "run_ended"),
    ]
