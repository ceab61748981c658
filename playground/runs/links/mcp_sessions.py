"""The link of MCP servers: a call goes over a session of the process's pool, which is opened if there is none."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from catalog.connections import connection_of
from catalog.contacting import keep_contact
from catalog.models import Contact, Server, Tool
from catalog.sessions.pool import Key, Lent, SessionPool
from catalog.sources.call_outcome import CallOutcome
from catalog.sources.errors import NotCarriedOut, SourceError
from catalog.sources.mcp import Connection, McpSession, StdioConnection
from catalog.tools import ToolSpec
from playground.agent.chain import UNKNOWN, Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read, write
from playground.runs.links.promises import HELD_BACK, broken_promise, changed_meanwhile, why_not_as_offered

CALL_WITHIN = 58.0
"""Seconds for starting and calling together: less than a run waits for a tool, so that what went wrong is told."""
LEAST_FOR_CALL = 5.0


@dataclass(frozen=True, slots=True)
class _Reached:
    """A server and a tool of it as their rows say now. `definitions` are those kept from the server's last reading.

    `known` are the digests of all that the tool's source said and that did not come into force by itself.
    """

    key: Key
    connection: Connection
    definitions: int
    tool: Tool | None
    known: frozenset[str]


class McpSessions:
    """For the calls of one run."""

    title = "MCP sessions"

    def __init__(self, run: str, pool: Callable[[], SessionPool]) -> None:
        self._run = run
        self._pool = pool
        self._since = timezone.now()

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        try:
            reached = await read(_reached, tool, self._run)
            if reached is None:
                return None
            if reason := await read(why_not_as_offered, tool, reached.tool, self._since):
                return _held_back(reason)
            return await self._call(reached, tool, arguments)
        except SourceError as problem:
            return Ran(ToolResult(str(problem), is_error=True), "no session: nothing was sent")

    async def _call(self, reached: _Reached, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran:
        """Raises SourceError where no session can be opened."""
        lent, began = None, time.monotonic()
        try:
            async with self._pool().lend(reached.key, reached.connection, self._run) as lent:
                patience = max(LEAST_FOR_CALL, CALL_WITHIN - (lent.start_seconds or 0.0))
                if reason := changed_meanwhile(reached.tool, reached.known, await lent.session.relisted()):
                    return _held_back(reason)
                outcome = await _sent(lent.session, tool, reached.tool, arguments, patience)
                seconds = max(0.0, time.monotonic() - began - (lent.start_seconds or 0.0))
        except SourceError as problem:
            await write(keep_contact, reached.key.server, Contact.Kind.CALL, time.monotonic() - began, str(problem))
            if lent is None:
                raise
            told = str(problem) if isinstance(problem, NotCarriedOut) else f"{problem} {UNKNOWN}"
            return _ran(ToolResult(told, is_error=True), lent, reached)
        await write(keep_contact, reached.key.server, Contact.Kind.CALL, seconds)
        ran = _ran(ToolResult(outcome.content_text, outcome.is_error, pictures=outcome.pictures), lent, reached)
        told = await asyncio.to_thread(broken_promise, reached.tool, outcome)
        return replace(ran, note=f"{ran.note}; {told}") if told else ran


async def _sent(
    session: McpSession, tool: ToolSpec, row: Tool | None, arguments: Mapping[str, Any], seconds: float
) -> CallOutcome:
    if row and row.call_plan:
        return await session.fetch(row.call_plan["method"], arguments, seconds)
    return await session.call(tool.upstream_name, arguments, seconds)


def _held_back(reason: str) -> Ran:
    return Ran(ToolResult(reason, is_error=True), HELD_BACK)


def _ran(result: ToolResult, lent: Lent, reached: _Reached) -> Ran:
    if lent.start_seconds is None:
        return Ran(result, f"session warm for {_seconds(lent.warm_seconds)}")
    did = "started" if isinstance(reached.connection, StdioConnection) else "connected"
    kept = f"{reached.definitions:,} cached definition{'' if reached.definitions == 1 else 's'}"
    return Ran(result, f"{did} in {_seconds(lent.start_seconds)} from {kept}", lent.start_seconds)


def _seconds(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _reached(tool: ToolSpec, run: str) -> _Reached | None:
    """None where the server is no MCP server. Raises SourceError where it may not be reached."""
    server = Server.objects.filter(slug=tool.server).first()
    if server is None or not server.enabled:
        raise SourceError(f"The server {tool.server} was removed or switched off while this ran.")
    if not server.speaks_mcp:
        return None
    key = Key(server.pk, run if server.session_scope == Server.SessionScope.RUN else "")
    row = server.tools.filter(name=tool.upstream_name).first()
    known = frozenset(row.drifts.values_list("upstream_hash", flat=True)) if row else frozenset[str]()
    return _Reached(key, connection_of(server), server.tools.here().count(), row, known)
