"""Runs to record and to watch."""

import asyncio
from collections.abc import Callable, Iterable
from uuid import UUID

import pytest
from django.test.utils import override_settings

from playground.agent.events import Event, RunStarted
from playground.models import Run, Thread
from playground.runs.reading import all_events
from playground.runs.recording import Recorder
from tests.model_endpoint import model_endpoint
from tests.playground.runs.doubles import FAILING_LAYER, TINY_LAYER

__all__ = ["model_endpoint"]
STARTED = RunStarted("t", "c", "mcpagent", "e", "x", True, 9, 900)


@pytest.fixture
def run(transactional_db: None) -> Run:
    """A run that nobody executes yet."""
    return Run.objects.create(thread=Thread.objects.create(title="t"), task="t")


@pytest.fixture
def events_of() -> Callable[[UUID], list[Event]]:
    """What is recorded of a run; its numbers must have no gap."""

    def read(run_id: UUID) -> list[Event]:
        rows = list(all_events(run_id))
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        return [row.event for row in rows]

    return read


@pytest.fixture(params=["ample", "capacity 1", "failing"])
def layer(request: pytest.FixtureRequest) -> object:
    """The channel layer as it should be, dropping nearly everything, and broken: watchers must not notice."""
    match request.param:
        case "capacity 1":
            override = override_settings(CHANNEL_LAYERS=TINY_LAYER)
        case "failing":
            override = override_settings(CHANNEL_LAYERS=FAILING_LAYER)
        case _:
            override = override_settings()
    with override:
        yield


async def record(run: Run, events: Iterable[Event], pace: float = 0.0) -> None:
    """Record them, and end the recorder as an execution does."""
    recorder = Recorder(run.pk)
    for event in events:
        await recorder.record(event)
        await asyncio.sleep(pace)
    await recorder.close()
