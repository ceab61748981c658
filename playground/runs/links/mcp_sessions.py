"""The link of MCP servers: a call goes over a session of the process's pool, which is opened if there is none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.connections import connection_of
from catalog.models import Server
from catalog.sessions.pool import Key, Lent, SessionPool
from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection, StdioConnection
from catalog.tools import ToolSpec
from playground.agent.chain import UNKNOWN, Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read

CALL_WITHIN = 58.0
"""Seconds for starting and calling together: less than a run waits for a tool, so that what went wrong is told."""
LEAST_FOR_CALL = 5.0


@dataclass(frozen=True, slots=True)
class _Reached:
    """A server as its row says now. `definitions` are those kept from its last reading."""

    key: Key
    connection: Connection
    definitions: int


class McpSessions:
    """For the calls of one run."""

    title = "MCP sessions"

    def __init__(self, run: str, pool: Callable[[], SessionPool]) -> None:
        self._run = run
        self._pool = pool

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        try:
            reached = await read(_reached, tool.server, self._run)
            if reached is None:
                return None
            return await self._call(reached, tool, arguments)
        except SourceError as problem:
            return Ran(ToolResult(str(problem), is_error=True), "no session: nothing was sent")

    async def _call(self, reached: _Reached, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran:
        """Raises SourceError where no session can be opened."""
        lent = None
        try:
            async with self._pool().lend(reached.key, reached.connection, self._run) as lent:
                patience = max(LEAST_FOR_CALL, CALL_WITHIN - (lent.start_seconds or 0.0))
                outcome = await lent.session.call(tool.upstream_name, arguments, patience)
        except SourceError as problem:
            if lent is None:
                raise
            return _ran(ToolResult(f"{problem} {UNKNOWN}", is_error=True), lent, reached)
        return _ran(ToolResult(outcome.content_text, outcome.is_error), lent, reached)


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


def _reached(slug: str, run: str) -> _Reached | None:
    """None where the server is no MCP server. Raises SourceError where it may not be reached."""
    server = Server.objects.filter(slug=slug).first()
    if server is None or not server.enabled:
        raise SourceError(f"The server {slug} was removed or switched off while this ran.")
    if not server.speaks_mcp:
        return None
    key = Key(server.pk, run if server.session_scope == Server.SessionScope.RUN else "")
    return _Reached(key, connection_of(server), server.tools.here().count())
