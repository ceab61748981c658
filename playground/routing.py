"""The sockets' addresses, and what happens when a serving process starts and stops."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from django.urls import path

from catalog.auditing.pruning import keep_pruning
from catalog.leftovers import end_leftovers, keep_ending
from catalog.letting_go import keep_letting_go
from catalog.owners import release, this_process
from catalog.sessions.current import close_sessions, keep_reviewing
from catalog.syncing import keep_syncing
from catalog.warming import warm
from playground.consumers import RunConsumer
from playground.evaluating import playing
from playground.evaluating.trials import end_left_behind
from playground.lane_consumers import LanesConsumer
from playground.reviewing.keeping import keep_reviewing_runs
from playground.runs.database import write
from playground.runs.executing import interrupt_all
from playground.runs.kept_outputs import keep_removing
from playground.runs.recovery import interrupt_orphans, keep_sweeping
from playground.runs.retention import keep_deleting

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]

websocket_urlpatterns = [
    path("ws/runs/<uuid:run_id>/", RunConsumer.as_asgi()),
    path("ws/lanes/<uuid:set_id>/", LanesConsumer.as_asgi()),
]


async def lifespan(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """The ASGI lifespan protocol: start up, sweep and tidy for as long as the process serves, shut down."""
    await receive()
    await start_up()
    works = (
        *(keep_sweeping, keep_removing, keep_deleting, keep_syncing),
        *(keep_reviewing, keep_pruning, keep_ending, keep_letting_go, keep_reviewing_runs, playing.keep_looking),
    )
    tasks = [asyncio.create_task(work()) for work in works]
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await shut_down()
    await send({"type": "lifespan.shutdown.complete"})


async def start_up() -> None:
    """Take this process's lock, and end what a dead process left unfinished, before the first request is served; make catalogs ready."""
    this_process()
    await write(end_leftovers)
    await write(end_left_behind)
    if count := await write(interrupt_orphans):
        log.warning("%d runs of a process that ended were marked as interrupted", count)
    warm()


async def shut_down() -> None:
    """End this process's evaluations and runs as interrupted, stop the servers that it started, and give its lock back."""
    await playing.interrupt_all()
    await interrupt_all()
    await close_sessions()
    release()
