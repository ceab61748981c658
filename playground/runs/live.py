"""Watching runs as they happen: the watchers of one run in this process share one feed."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from itertools import groupby
from uuid import UUID

from playground.agent.events import RunEnded
from playground.models import RunEvent
from playground.runs.feed import Feed
from playground.runs.state import Recorded
from playground.runs.stored import from_row


class Relay:
    """A feed lives as long as someone watches. Joining and leaving never wait in between, so neither can miss the other."""

    def __init__(self) -> None:
        self._feeds: dict[UUID, Feed] = {}

    async def watch(self, run_id: UUID, after: int) -> AsyncGenerator[list[Recorded], None]:
        """What follows `after`, in batches without gap or repeat, until the run ends, which it must not have done with `after`.

        Close it when leaving early.
        """
        feed = self._join(run_id, after)
        try:
            while True:
                news = feed.news
                batch = await feed.after(after)
                if batch:
                    yield batch
                    after = batch[-1].seq
                    if isinstance(batch[-1].event, RunEnded):
                        return
                else:
                    await news.wait()
        finally:
            await self._leave(run_id, feed)

    def hand_over(self, committed: Sequence[RunEvent]) -> None:
        """Rows that this process has committed, each run's together: those who watch it here need not wait for a reader.

        From any thread. A run that nobody watches costs nothing.
        """
        for run_id, rows in groupby(committed, key=lambda row: row.run_id):
            if feed := self._feeds.get(run_id):
                events = [Recorded(row.seq, row.at, from_row(row.kind, row.body)) for row in rows]
                with suppress(RuntimeError):  # its loop is closed
                    feed.loop.call_soon_threadsafe(feed.hand, events)

    def _join(self, run_id: UUID, after: int) -> Feed:
        feed = self._feeds.get(run_id)
        if feed is None:
            feed = self._feeds[run_id] = Feed(run_id, after, self._everybody)
        feed.watchers += 1
        return feed

    def _everybody(self) -> int:
        return sum(feed.watchers for feed in self._feeds.values())

    async def _leave(self, run_id: UUID, feed: Feed) -> None:
        feed.watchers -= 1
        if not feed.watchers:
            del self._feeds[run_id]
            await asyncio.shield(feed.close())


RELAY = Relay()
