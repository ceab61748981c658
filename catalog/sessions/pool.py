"""The sessions of one process: who gets which, which are replaced, and when each is closed."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from catalog.sessions.kept import Clock, KeptSession
from catalog.sessions.standing import Standing, standing_of
from catalog.sources.errors import SourceError
from catalog.sources.mcp import DEFAULT_TIMEOUTS, Connection, McpSession, Timeouts

Reach = Callable[[Collection[int]], Awaitable[Mapping[int, Connection]]]
"""How the servers with these keys are reached now; those that may not be are missing."""


class Key(NamedTuple):
    """Whose session: a server's, for every run or (`run`) for one."""

    server: int
    run: str = ""


@dataclass(frozen=True, slots=True)
class Lent:
    """A session for one call. `start_seconds` is None where it was open already, for `warm_seconds`."""

    session: McpSession
    start_seconds: float | None
    warm_seconds: float


class SessionPool:
    """Sessions are opened on demand, shared, and closed when idle. All methods but `standing` belong on its event loop.

    `idle_seconds` without a run that uses it, and a session is closed; at most `most` are open. `on_change` is told of a
    server, on the event loop, that says that what it offers has changed.
    """

    def __init__(
        self,
        reach: Reach,
        idle_seconds: float,
        most: int,
        clock: Clock = time.monotonic,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        on_change: Callable[[int], None] = lambda server: None,
    ) -> None:
        self._reach = reach
        self._idle_seconds = idle_seconds
        self._most = most
        self._clock = clock
        self._timeouts = timeouts
        self._on_change = on_change
        self._sessions: dict[Key, KeptSession] = {}
        self._draining: set[KeptSession] = set()
        self._closings: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def lend(self, key: Key, connection: Connection, run: str) -> AsyncIterator[Lent]:
        """A session that was found to be alive, for a call of `run`. Raises SourceError where none can be opened.

        After a call that got no answer nothing more goes over the session; calls under way there may end.
        """
        kept = await self._usable(key, connection)
        was_open = kept.opened_at is not None
        kept.begin(run)
        try:
            session = await kept.opened()
            warm = self._clock() - (kept.opened_at or self._clock())
            yield Lent(session, None if was_open else kept.start_seconds, warm)
        except (SourceError, asyncio.CancelledError):
            self._retire(key, kept)
            raise
        finally:
            kept.end()
            self._settle(kept)

    def leave(self, run: str) -> None:
        """The run ended: sessions of its own are closed, those that it shared may become idle."""
        for key, kept in list(self._sessions.items()):
            kept.forget(run)
            if key.run == run:
                self._retire(key, kept)
            self._settle(kept)
        self._close_idle()

    async def review(self) -> None:
        """Close what was idle for long, what broke, and what is no longer reached as it was when it was opened."""
        self._close_idle()
        if not (looked_at := list(self._sessions.items())):
            return
        reached = await self._reach({key.server for key, _ in looked_at})
        for key, kept in looked_at:
            if (kept.is_broken or reached.get(key.server) != kept.connection) and self._drop(key, kept):
                self._close(kept)

    def close_server(self, server: int) -> None:
        """Have no session with the server; calls under way may end."""
        for key, kept in list(self._sessions.items()):
            if key.server == server:
                self._retire(key, kept)

    async def close(self) -> None:
        """Close every session; all servers that were started are stopped."""
        for key, kept in list(self._sessions.items()):
            self._drop(key, kept)
            self._close(kept)
        for kept in list(self._draining):
            self._close(kept)
        await self.closed()

    async def closed(self) -> None:
        """Returns once the closings under way are over."""
        while self._closings:
            await asyncio.wait(self._closings)

    def standing(self, server: int) -> Standing:
        """How it stands with the server's sessions; may be asked from any thread."""
        kept = [session for key, session in list(self._sessions.items()) if key.server == server]
        return standing_of(kept, self._clock(), self._idle_seconds)

    async def _usable(self, key: Key, connection: Connection) -> KeptSession:
        kept = self._sessions.get(key)
        if kept and (kept.connection != connection or not await kept.is_usable()):
            self._retire(key, kept)
        if there := self._sessions.get(key):  # another call may have replaced it meanwhile
            return there
        self._make_room()
        opening = self._sessions[key] = KeptSession(
            connection, self._timeouts, self._clock, partial(self._on_change, key.server)
        )
        return opening

    def _make_room(self) -> None:
        """Close the session least recently used that no run uses; else the one that no call uses, if it is shared."""
        if len(self._sessions) + len(self._draining) < self._most:
            return
        quiet = [
            (key, kept) for key, kept in self._sessions.items() if not kept.calls and (kept.is_idle or not key.run)
        ]
        if not quiet:
            raise SourceError(
                f"{self._most} sessions with servers are open and in use, and no more are opened. Try again later."
            )
        self._retire(*min(quiet, key=lambda one: (not one[1].is_idle, one[1].last_used)))

    def _close_idle(self) -> None:
        now = self._clock()
        for key, kept in list(self._sessions.items()):
            if kept.is_idle and now - kept.last_used >= self._idle_seconds:
                self._retire(key, kept)

    def _retire(self, key: Key, kept: KeptSession) -> None:
        """No call goes out over it from now on; it is closed once those under way ended."""
        if self._drop(key, kept):
            self._draining.add(kept)
            self._settle(kept)

    def _settle(self, kept: KeptSession) -> None:
        if kept in self._draining and not kept.calls:
            self._close(kept)

    def _drop(self, key: Key, kept: KeptSession) -> bool:
        if self._sessions.get(key) is not kept:
            return False
        del self._sessions[key]
        return True

    def _close(self, kept: KeptSession) -> None:
        self._draining.discard(kept)
        closing = asyncio.create_task(kept.close())
        self._closings.add(closing)
        closing.add_done_callback(self._closings.discard)
