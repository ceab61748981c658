"""One run as this process follows it: a subscription for pokes, and one reader for all watchers."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import DatabaseError

from playground.agent.events import RunEnded
from playground.runs.database import read
from playground.runs.poking import PATIENCE, group_of
from playground.runs.reading import PAGE, events_after
from playground.runs.state import Recorded

log = logging.getLogger(__name__)

POLL_EVERY = 2.0
"""Seconds after which the database is read even if no poke came."""
READ_EVERY = 0.06
"""Seconds that two reads lie apart at least, so that watchers get events in batches, and all of them the same ones."""
FOR_EACH_WATCHER = 0.0015
"""Seconds that they lie apart for each watcher of any run, so that a process sends at most some 700 frames a second."""
MOST_KEPT = 2_000
"""Events kept for watchers that are nearly up to date; a later one reads them again."""


class Feed:
    """Follows the run from `seq` on until it ends or the feed is closed. `news` is set, and replaced, when there is more.

    `everybody` counts the watchers of all runs in this process.
    """

    def __init__(self, run_id: UUID, seq: int, everybody: Callable[[], int]) -> None:
        self.watchers = 0
        self.news = asyncio.Event()
        self.is_over = False
        self._run_id = run_id
        self._seq = seq
        self._everybody = everybody
        self._kept: deque[Recorded] = deque(maxlen=MOST_KEPT)
        self._poked = asyncio.Event()
        self._reader = asyncio.create_task(self._follow())
        self._listener = asyncio.create_task(self._listen())

    async def after(self, seq: int) -> list[Recorded]:
        """At most a page of what follows `seq`, as far as it was read. Raises what stopped the reader."""
        if self._reader.done():
            self._reader.result()
        if seq >= self._seq:
            return []
        if self._kept and self._kept[0].seq <= seq + 1:
            first = seq + 1 - self._kept[0].seq
            return [self._kept[place] for place in range(first, min(first + PAGE, len(self._kept)))]
        return await read(events_after, self._run_id, seq)

    async def close(self) -> None:
        tasks = (self._reader, self._listener)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _follow(self) -> None:
        try:
            while not self.is_over:
                await self._read_on()
                await asyncio.sleep(max(READ_EVERY, FOR_EACH_WATCHER * self._everybody()))
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_EVERY):
                        await self._poked.wait()
                self._poked.clear()
        finally:
            self._tell()

    async def _read_on(self) -> None:
        try:
            while page := await read(events_after, self._run_id, self._seq):
                self._kept.extend(page)
                self._seq = page[-1].seq
                self.is_over = isinstance(page[-1].event, RunEnded)
                self._tell()
        except DatabaseError as problem:
            log.warning("run %s cannot be read just now: %s", self._run_id, problem)

    def _tell(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    async def _listen(self) -> None:
        """Take pokes while the layer works; without it, the reader looks every POLL_EVERY seconds."""
        while True:
            try:
                await self._take_pokes()
            except Exception as problem:  # whatever a layer raises
                log.warning("the channel layer fails, so events are shown late: %r", problem)
                await asyncio.sleep(POLL_EVERY)

    async def _take_pokes(self) -> None:
        layer = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(group_of(self._run_id), channel)
        try:
            while True:
                self._poked.set()
                await layer.receive(channel)
        finally:
            with suppress(Exception):
                async with asyncio.timeout(PATIENCE):
                    await layer.group_discard(group_of(self._run_id), channel)
