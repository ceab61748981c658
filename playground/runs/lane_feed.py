"""Watching the runs of all lanes at once: what is new in each, gathered for a moment, so that a page moves smoothly."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from playground.runs.lane_state import Lane
from playground.runs.live import RELAY
from playground.runs.state import Recorded

GATHER_FOR = 0.1
"""Seconds for which news of the lanes are put together."""
MOST_WAITING = 16
"""Batches that may wait for the page before the lanes' readers wait for it, too."""

News = dict[int, list[Recorded]]
"""By the lane's place."""
_Waiting = asyncio.Queue[tuple[int, list[Recorded]]]


async def watch_lanes(lanes: Sequence[Lane]) -> AsyncGenerator[News, None]:
    """What follows in each lane that has not ended yet, until all have. Close it when leaving early."""
    waiting = _Waiting(MOST_WAITING)
    readers = {lane.place: asyncio.create_task(_read(lane, waiting)) for lane in lanes if not lane.is_over}
    left = set(readers)
    try:
        while left:
            batches = [await waiting.get()]
            await asyncio.sleep(GATHER_FOR)
            batches += [waiting.get_nowait() for _ in range(waiting.qsize())]
            news: News = {}
            for place, batch in batches:
                if batch:
                    news.setdefault(place, []).extend(batch)
                else:
                    left.discard(place)
                    await readers[place]
            if news:
                yield news
    finally:
        for reader in readers.values():
            reader.cancel()
        if readers:
            await asyncio.wait(readers.values())


async def _read(lane: Lane, waiting: _Waiting) -> None:
    """An empty batch is the last: the run has ended, or its reader failed."""
    try:
        async with aclosing(RELAY.watch(lane.run_id, lane.state.seq)) as batches:
            async for batch in batches:
                await waiting.put((lane.place, batch))
    except Exception:
        await waiting.put((lane.place, []))
        raise
    await waiting.put((lane.place, []))
