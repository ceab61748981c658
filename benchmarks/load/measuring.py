"""Executing many runs in one process, as the product does, and what that takes."""

import asyncio
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal

import django

from benchmarks.load.endpoint import endpoint_process
from benchmarks.speed.measuring import percentile, resident

if TYPE_CHECKING:
    from playground.models import Run

Answerer = Literal["demo", "endpoint"]
"""What answers: the demo model without its pause between words, or an OpenAI-compatible endpoint on loopback."""


class RecordIsBrokenError(Exception):
    """A run did not end as completed, or its numbers have a gap: the figures would be of something else."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds on the wall and of processors, delays in seconds from an event to its commit, bytes beyond those at the start."""

    runs: int
    events: int
    seconds: float
    cpu: float
    delays: tuple[float, ...]
    memory: int | None
    threads: int

    @property
    def events_a_second(self) -> float:
        return self.events / self.seconds

    def delay(self, share: float) -> float:
        return percentile(self.delays, share)


def measured(answerer: Answerer, runs: int, at_once: int) -> Figures:
    """So many runs, so many of them at a time, over a database of their own. In a process that has no Django yet."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, endpoint_process() as url:
        os.environ |= {"PEGBOARD_STATE": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from django.core.management import call_command

        from catalog.samples import load_sample

        call_command("migrate", verbosity=0)
        load_sample()
        return asyncio.run(_measure(_chat_model(answerer, url), runs, at_once))


async def _measure(chat_model: Any, runs: int, at_once: int) -> Figures:
    """One run before the clock starts: the first one imports LiteLLM and builds the index."""
    from playground.runs import executing

    await _execute(chat_model, 0)
    recorders = _TimedRecorders()
    executing.Recorder = recorders.make  # type: ignore[assignment,attr-defined]
    places, most, before = asyncio.Semaphore(at_once), threading.active_count(), resident()

    async def one(number: int) -> "Run":
        nonlocal most
        async with places:
            run = await _execute(chat_model, number)
            most = max(most, threading.active_count())
            return run

    started, started_cpu = perf_counter(), process_time()
    done = await asyncio.gather(*(one(number) for number in range(runs)))
    seconds, cpu = perf_counter() - started, process_time() - started_cpu
    after = resident()
    events = await asyncio.to_thread(_check, done)
    memory = None if before is None or after is None else after - before
    return Figures(runs, events, seconds, cpu, tuple(recorders.delays), memory, most)


async def _execute(chat_model: Any, number: int) -> "Run":
    from django.contrib.auth.models import User

    from catalog.models import Catalog
    from catalog.sources import sample
    from playground.runs import executing

    tasks = sample.tasks()
    catalog = await Catalog.objects.aget(slug="office-agent")
    by, _ = await User.objects.aget_or_create(username="bench")
    run = await executing.begin(catalog, chat_model, tasks[number % len(tasks)].task, by)
    await executing.ended(run.pk)
    await run.arefresh_from_db()
    return run


class _TimedRecorders:
    """Makes recorders that keep how long each event took to be committed; text, which is joined first, is left out."""

    def __init__(self) -> None:
        self.delays: list[float] = []

    def make(self, run_id: Any) -> Any:
        from playground.agent.events import Event, TextStreamed
        from playground.runs.recording import Recorder

        delays = self.delays

        class Timed(Recorder):
            async def record(self, event: Event) -> None:
                started = perf_counter()
                await super().record(event)
                if not isinstance(event, TextStreamed):
                    delays.append(perf_counter() - started)

        return Timed(run_id)


def _check(runs: "Sequence[Run]") -> int:
    """The events of all runs. Raises RecordIsBrokenError."""
    total = 0
    for run in runs:
        seqs = list(run.events.order_by("seq").values_list("seq", flat=True))
        if run.status != run.Status.COMPLETED or seqs != list(range(1, len(seqs) + 1)):
            raise RecordIsBrokenError(f"{run.pk} {run.status}")
        total += len(seqs)
    return total


def _chat_model(answerer: Answerer, url: str) -> Any:
    from playground.agent import demo_provider
    from playground.models import ChatModel

    if answerer == "demo":
        demo_provider.PACE = 0.0
        return ChatModel.objects.get(name="demo/scripted")
    return ChatModel.objects.create(title="Loopback", name="openai/some-model", base_url=url)
