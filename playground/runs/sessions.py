"""A connection to a tool server that is kept open while a run needs it."""

import asyncio
import logging

from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection, McpSession, connect

log = logging.getLogger(__name__)

CLOSE_WITHIN = 10.0
"""Seconds that a server is given to go."""


class KeptSession:
    """One task opens and closes the connection, as its library wants; calls may come from any task."""

    def __init__(self, connection: Connection) -> None:
        self._opened: asyncio.Future[McpSession] = asyncio.get_running_loop().create_future()
        self._leaving = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep(connection))

    async def opened(self) -> McpSession:
        """Raises SourceError where it cannot be opened."""
        return await asyncio.shield(self._opened)

    async def close(self) -> None:
        self._leaving.set()
        if not self._opened.done():
            self._keeper.cancel()
        await asyncio.wait({self._keeper}, timeout=CLOSE_WITHIN)
        self._keeper.cancel()

    async def _keep(self, connection: Connection) -> None:
        try:
            async with connect(connection) as session:
                self._opened.set_result(session)
                await self._leaving.wait()
        except SourceError as problem:
            if self._opened.done():
                log.info("a tool server's session ended badly: %s", problem)
            else:
                self._opened.set_exception(problem)
        finally:
            self._opened.cancel()
