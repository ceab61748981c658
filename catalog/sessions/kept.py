"""One session with an MCP server, kept open while it is needed, and who uses it."""

import asyncio
import logging
from collections.abc import Callable

from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection, McpSession, Timeouts, connect

log = logging.getLogger(__name__)

CLOSE_WITHIN = 10.0
"""Seconds that a server is given to go."""
PROBE_AFTER = 10.0
"""Seconds without a call after which the server is asked, before the next, whether it still knows the session."""
PROBE_WITHIN = 3.0

Clock = Callable[[], float]


class KeptSession:
    """One task opens and closes the connection, as its library wants; calls may come from any task, side by side.

    `users` are the runs that called it and have not ended. Times are the clock's, in seconds.
    """

    def __init__(self, connection: Connection, timeouts: Timeouts, clock: Clock, on_change: Callable[[], None]) -> None:
        self.connection = connection
        self.users: set[str] = set()
        self.calls = 0
        self.start_seconds = 0.0
        self.opened_at: float | None = None
        self._clock = clock
        self._on_change = on_change
        self._last_used = self._began_at = clock()
        self._opened: asyncio.Future[McpSession] = asyncio.get_running_loop().create_future()
        self._leaving = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep(connection, timeouts))

    async def opened(self) -> McpSession:
        """Raises SourceError where it cannot be opened."""
        return await asyncio.shield(self._opened)

    async def is_usable(self) -> bool:
        """Whether a call may go out over it; one that was quiet for a while is tried first."""
        if not self._opened.done():
            return True
        if self.is_broken:
            return False
        is_quiet = not self.calls and self._clock() - self._last_used > PROBE_AFTER
        return not is_quiet or await self._opened.result().answers(PROBE_WITHIN)

    @property
    def is_broken(self) -> bool:
        if not self._opened.done():
            return False
        return self._opened.cancelled() or bool(self._opened.exception()) or not self._opened.result().is_open

    @property
    def last_used(self) -> float:
        """When a call last began or ended, or a run that used it ended."""
        return self._last_used

    @property
    def is_idle(self) -> bool:
        return not self.calls and not self.users

    def begin(self, run: str) -> None:
        self.users.add(run)
        self.calls += 1
        self._last_used = self._clock()

    def end(self) -> None:
        self.calls -= 1
        self._last_used = self._clock()

    def forget(self, run: str) -> None:
        if run in self.users:
            self.users.discard(run)
            self._last_used = self._clock()

    async def close(self) -> None:
        """Take leave; a server that was started is stopped. Calls under way are told that the connection was lost."""
        self._leaving.set()
        if not self._opened.done():
            self._keeper.cancel()
        await asyncio.wait({self._keeper}, timeout=CLOSE_WITHIN)
        self._keeper.cancel()

    async def _keep(self, connection: Connection, timeouts: Timeouts) -> None:
        try:
            async with connect(connection, timeouts, self._on_change) as session:
                self.opened_at = self._clock()
                self.start_seconds = self.opened_at - self._began_at
                self._opened.set_result(session)
                await self._leaving.wait()
        except SourceError as problem:
            if self._opened.done():
                log.info("a tool server's session ended badly: %s", problem)
            else:
                self._opened.set_exception(problem)
                self._opened.exception()  # whoever waited hears of it; nobody may be waiting any more
        finally:
            self._opened.cancel()
