"""Reading a server again soon after it said that what it offers has changed, and not more often than is sound."""

import asyncio
from functools import partial

from catalog import background
from catalog.syncing import sync_told

SETTLE = 2.0
"""Seconds after the word of a server: what it says meanwhile is read together."""
AT_MOST_EVERY = 30.0
"""Seconds between two readings of a server that goes on saying so."""


class Rereading:
    """For the servers of one process, by their keys. Belongs on its event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: set[int] = set()
        self._last: dict[int, float] = {}

    def soon(self, server: int) -> None:
        if server in self._waiting:
            return
        self._waiting.add(server)
        since = self._loop.time() - self._last.get(server, float("-inf"))
        self._loop.call_later(max(SETTLE, AT_MOST_EVERY - since), self._read, server)

    def _read(self, server: int) -> None:
        self._waiting.discard(server)
        self._last[server] = self._loop.time()
        background.submit(partial(sync_told, server))
