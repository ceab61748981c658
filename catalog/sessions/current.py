"""The pool of the serving process: made on first use, looked over every few seconds, closed when the process stops."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection

from catalog.connections import connection_of
from catalog.models import Server
from catalog.repeating import repeat
from catalog.sessions.pool import SessionPool
from catalog.sessions.rereading import Rereading
from catalog.sessions.standing import NOT_STARTED, Standing
from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection

REVIEW_EVERY = 2.0
"""Seconds between two looks at what is idle, and at servers that were changed past the pages or by another process."""

_READER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="session-reader")


@dataclass(slots=True)
class _Current:
    """The pool and the event loop that it lives on."""

    pool: SessionPool
    loop: asyncio.AbstractEventLoop


_current: _Current | None = None


def session_pool() -> SessionPool:
    """The pool of the event loop that runs; there is one serving loop in a process."""
    global _current
    loop = asyncio.get_running_loop()
    if _current is None or _current.loop is not loop:
        idle, most = settings.PEGBOARD_SESSION_IDLE_SECONDS, settings.PEGBOARD_SESSIONS
        pool = SessionPool(reach, idle, most, on_change=Rereading(loop).soon)
        _current = _Current(pool, loop)
    return _current.pool


async def close_sessions() -> None:
    """Close the pool; the next use makes another."""
    global _current
    if _current is not None and _current.loop is asyncio.get_running_loop():
        pool, _current = _current.pool, None
        await pool.close()


async def keep_reviewing() -> None:
    failing = "the servers of open sessions could not be looked at"
    await repeat(lambda: session_pool().review(), REVIEW_EVERY, failing)


def review_soon() -> None:
    """A server was changed: have its sessions closed at once where they no longer stand. May be called from any thread."""
    _soon(lambda pool: pool.review())


def close_soon(server: Server) -> None:
    """Have the server's sessions closed. May be called from any thread."""
    key = server.pk

    async def close(pool: SessionPool) -> None:
        pool.close_server(key)

    _soon(close)


def standing(server: Server) -> Standing:
    """May be asked from any thread."""
    return _current.pool.standing(server.pk) if _current else NOT_STARTED


async def reach(servers: Collection[int]) -> Mapping[int, Connection]:
    """How these servers are reached, as their rows say now; those that may not be are missing."""
    return await asyncio.get_running_loop().run_in_executor(_READER, _connections, servers)


def _connections(servers: Collection[int]) -> dict[int, Connection]:
    try:
        found = {server.pk: _reached(server) for server in Server.objects.filter(pk__in=servers, enabled=True)}
    finally:
        connection.close()
    return {key: reached for key, reached in found.items() if reached}


def _reached(server: Server) -> Connection | None:
    try:
        return connection_of(server)
    except SourceError:
        return None


def _soon(work: Callable[[SessionPool], Coroutine[Any, Any, None]]) -> None:
    if (current := _current) is None or current.loop.is_closed():
        return
    asyncio.run_coroutine_threadsafe(work(current.pool), current.loop)
