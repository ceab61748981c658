"""MCP servers, over stdio or HTTP: connecting, listing every tool, and greeting one."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from mcp import Client

from catalog.sources.call_outcome import CallOutcome
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing
from catalog.sources.mcp_keeping import KeptClient
from catalog.sources.mcp_links import Connection, HttpConnection, Link, SseLink, StdioConnection, link_to, older_link
from catalog.sources.mcp_session import McpSession, Timeouts

__all__ = [
    "CallOutcome",
    "Connection",
    "Greeting",
    "HttpConnection",
    "McpSession",
    "StdioConnection",
    "Timeouts",
    "connect",
    "greet",
    "read",
]

DEFAULT_TIMEOUTS = Timeouts()
TEST_TIMEOUTS = Timeouts(call=10.0)


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a server says of itself when it is connected, and how long that took, in seconds.

    `ping_seconds` is None where its protocol knows no ping.
    """

    name: str
    version: str
    protocol: str
    instructions: str
    start_seconds: float
    ping_seconds: float | None

    @property
    def sentence(self) -> str:
        who = f"{self.name} {self.version}".strip() or "a server without a name"
        ping = f", and answered a ping in {self.ping_seconds * 1000:.0f} ms" if self.ping_seconds is not None else ""
        return f"It connected in {self.start_seconds:.1f} s as {who}, protocol {self.protocol}{ping}."


@asynccontextmanager
async def connect(
    connection: Connection, timeouts: Timeouts = DEFAULT_TIMEOUTS, on_change: Callable[[], None] | None = None
) -> AsyncIterator[McpSession]:
    """Connect, and take leave at the end. Raises SourceError.

    An address that does not take streamable HTTP is tried over SSE, the transport before it. `on_change` is called on
    the event loop each time that the server says that what it offers has changed.
    """
    link = link_to(connection)
    try:
        client, kept = await _opened(link, timeouts, on_change)
    except SourceError as problem:
        if (link_before := older_link(connection, link)) is None:
            raise
        try:
            client, kept = await _opened(link_before, timeouts, on_change)
        except SourceError:
            raise problem from None
        link = link_before
    try:
        yield McpSession(client, kept, timeouts, isinstance(link, SseLink))
    finally:
        await kept.close()


async def _opened(link: Link, timeouts: Timeouts, on_change: Callable[[], None] | None) -> tuple[Client, KeptClient]:
    kept = KeptClient(link, timeouts.start, timeouts.close, on_change)
    try:
        return await kept.open(), kept
    except BaseException:
        await kept.close()
        raise


async def read(
    connection: Connection,
    on_progress: Callable[[int], None] | None = None,
    timeouts: Timeouts = DEFAULT_TIMEOUTS,
) -> Listing:
    """Connect, list every tool, take leave. Raises SourceError."""
    async with connect(connection, timeouts) as session:
        return await session.list_tools(on_progress)


async def greet(connection: Connection, timeouts: Timeouts = TEST_TIMEOUTS) -> Greeting:
    """Connect, ping, take leave. Raises SourceError."""
    began = anyio.current_time()
    async with connect(connection, timeouts) as session:
        started = anyio.current_time() - began
        said = (session.server_title, session.server_version, session.protocol, session.instructions)
        return Greeting(*said, start_seconds=started, ping_seconds=await session.ping())
