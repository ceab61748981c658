"""One run as this process follows it: what this process commits is handed over, what another one commits is read."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
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

    `everybody` counts the watchers of all runs in this process. For the event loop in which it was made.
    """

    def __init__(self, run_id: UUID, seq: int, everybody: Callable[[], int]) -> None:
        self.watchers = 0
        self.news = asyncio.Event()
        self.is_over = False
        self._run_id = run_id
        self._seq = seq
        self._everybody = everybody
        self._kept: deque[Recorded] = deque(maxlen=MOST_KEPT)
        self._handed: list[Recorded] = []
        self._known = seq
        """The last event of which a poke told."""
        self._must_look = True
        """Whether there may be more than anyone told."""
        self._poked = asyncio.Event()
        self.loop = asyncio.get_running_loop()
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

    def hand(self, committed: Sequence[Recorded]) -> None:
        """Events that this process has committed, which need not be read."""
        self._handed += committed
        self._poked.set()

    async def close(self) -> None:
        tasks = (self._reader, self._listener)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _follow(self) -> None:
        try:
            while not self.is_over:
                must_look, self._must_look = self._must_look, False
                if not self._take_handed() or must_look:
                    await self._read_on()
                await asyncio.sleep(max(READ_EVERY, FOR_EACH_WATCHER * self._everybody()))
                await self._wait()
        finally:
            self._tell()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(POLL_EVERY):
                await self._poked.wait()
        except TimeoutError:
            self._must_look = True
        self._poked.clear()

    def _take_handed(self) -> bool:
        """Whether that is all there is, as far as anyone told."""
        handed, self._handed = self._handed, []
        news = [recorded for recorded in handed if recorded.seq > self._seq]
        if [recorded.seq for recorded in news] != [*range(self._seq + 1, self._seq + len(news) + 1)]:
            return False
        self._keep(news)
        return self._seq >= self._known

    async def _read_on(self) -> None:
        try:
            while page := await read(events_after, self._run_id, self._seq):
                self._keep(page)
        except DatabaseError as problem:
            log.warning("run %s cannot be read just now: %s", self._run_id, problem)

    def _keep(self, news: Sequence[Recorded]) -> None:
        if news:
            self._kept.extend(news)
            self._seq = news[-1].seq
            self.is_over = isinstance(news[-1].event, RunEnded)
            self._tell()

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
            self._must_look = True
            self._poked.set()
            while True:
                last_seq = (await layer.receive(channel))["last_seq"]
                if last_seq > self._seq:
                    self._known = max(self._known, last_seq)
                    self._poked.set()
        finally:
            with suppress(Exception):
                async with asyncio.timeout(PATIENCE):
                    await layer.group_discard(group_of(self._run_id), channel)
