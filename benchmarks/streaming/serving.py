"""The product served in this process, with runs whose texts come at a given pace, and what serving them took."""

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import django
import uvicorn

from benchmarks.speed.measuring import percentile, resident
from benchmarks.streaming.tokens import token
from benchmarks.streaming.watching import Crowd, Seen

ROOT = Path(__file__).parents[2]
SOCKETS_OF_ONE = 15
"""Watchers that are one person; the product allows twenty sockets."""


@dataclass(frozen=True, slots=True)
class Load:
    """`pace` is texts a second of each run, `drops` the seconds between which each socket lives."""

    runs: int
    watchers: int
    texts: int
    pace: float
    drops: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Texts as told to all watchers together, seconds of delay, seconds on the wall and of processors, bytes more than at first."""

    expected: int
    seen: Seen
    seconds: float
    cpu: float
    memory: int | None

    def delay(self, share: float) -> float:
        return percentile(self.seen.delays, share)

    @property
    def lost(self) -> int:
        return self.expected - self.seen.texts


def measured(load: Load) -> Figures:
    """In a process that has no Django yet, over a database of its own."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ |= {"PEGBOARD_STATE": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        runs = [_run() for _ in range(load.runs)]
        cookies = tuple(_cookie(number) for number in range(load.watchers // SOCKETS_OF_ONE + 1))
        return asyncio.run(_measure(load, runs, cookies))


async def _measure(load: Load, runs: list[Any], cookies: tuple[str, ...]) -> Figures:
    async with _served() as port:
        names = tuple(str(run.pk) for run in runs)
        crowd = Crowd(port, cookies, names, load.watchers, load.texts, load.drops)
        watchers = await _watchers(crowd)
        before, started, cpu = resident(), perf_counter(), process_time()
        await asyncio.gather(*(_play(run.pk, load) for run in runs))
        told, _ = await watchers.communicate()
        seconds, used, after = perf_counter() - started, process_time() - cpu, resident()
    if watchers.returncode:
        raise RuntimeError("a watcher was told something twice or not at all; standard error says which")
    memory = None if before is None or after is None else after - before
    return Figures(load.watchers * load.texts, Seen(**json.loads(told)), seconds, used, memory)


async def _play(run: Any, load: Load) -> None:
    """One run: so many texts at that pace, through the recorder, as a model's would be."""
    from playground.agent.events import ModelAnswered, OfferMade, RunEnded, RunStarted, TextStreamed
    from playground.runs.recording import Recorder

    recorder, loop = Recorder(run), asyncio.get_running_loop()
    await recorder.record(RunStarted("Count", "", "everything", "", "benchmark", True, 0, 0))
    await recorder.record(OfferMade(1, (), (), (), 0, True))
    started = loop.time()
    for number in range(1, load.texts + 1):
        await asyncio.sleep(max(0.0, started + number / load.pace - loop.time()))
        await recorder.record(TextStreamed(1, token(number)))
    await recorder.record(ModelAnswered(1, "stop", load.texts / load.pace))
    await recorder.record(RunEnded("completed"))
    await recorder.close()


async def _watchers(crowd: Crowd) -> asyncio.subprocess.Process:
    """All of them connected, in a process of their own."""
    command = (sys.executable, "-m", "benchmarks.streaming.watching")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe, limit=2**28)
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the watchers have no pipes")
    process.stdin.write(json.dumps(asdict(crowd)).encode() + b"\n")
    await process.stdout.readline()
    return process


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.ready.set()


@asynccontextmanager
async def _served() -> AsyncIterator[int]:
    from config.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(application, log_level="warning", ws="websockets-sansio", ws_per_message_deflate=False)
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.ready.wait()
        yield listener.getsockname()[1]
        server.should_exit = True
        await serving


def _run() -> Any:
    from catalog.owners import this_owner
    from playground.models import Run, Thread

    return Run.objects.create(thread=Thread.objects.create(title="Count"), task="Count", owner=this_owner())


def _cookie(number: int) -> str:
    """Of a viewer who is signed in."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.create_user(f"watcher-{number}"))
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"
