"""MCP servers, over stdio or Streamable HTTP: connecting, listing every tool, and calling one."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, EmptyResult, PingRequest

from catalog.sources.call_outcome import CallOutcome, read_outcome, told
from catalog.sources.errors import SourceError
from catalog.sources.listing import MAX_TOOLS, Listing, Problem, read_listing
from catalog.sources.mcp_keeping import KeptClient
from catalog.sources.mcp_links import Connection, HttpConnection, Link, SseLink, StdioConnection, link_to, older_link
from catalog.sources.mcp_virtual import fetched, fetching, virtual_tools
from catalog.sources.raw_results import raw_result
from catalog.sources.storable import storable_text

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

MAX_PAGES = 1_000
MAX_INSTRUCTIONS = 64 * 1024
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: from the start to the first answer, for a whole list, for one call, and for taking leave."""

    start: float = 15.0
    listing: float = 60.0
    call: float = 60.0
    close: float = 8.0


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


DEFAULT_TIMEOUTS = Timeouts()
TEST_TIMEOUTS = Timeouts(call=10.0)
LAST_WITH_PING = "2025-11-25"
"""The last protocol with a ping; later ones keep no session that a server could lose."""


class McpSession:
    """An open connection. Its calls may come from any task, side by side; every failure is a SourceError."""

    def __init__(self, client: Client, kept: KeptClient, timeouts: Timeouts, is_sse: bool = False) -> None:
        self._client = client
        self._kept = kept
        self._timeouts = timeouts
        self._listed_now: Listing | None = None
        self._listed_after = 0
        information = client.server_info
        self.server_title = storable_text((information and (information.title or information.name)) or "")[:200]
        self.server_version = storable_text((information and information.version) or "")[:100]
        self.instructions = storable_text(client.instructions or "")[:MAX_INSTRUCTIONS]
        self._version = str(client.protocol_version)
        self.protocol = f"{self._version}, over SSE" if is_sse else self._version
        """Its version, and the transport where it is the one before streamable HTTP."""

    async def list_tools(self, on_progress: Callable[[int], None] | None = None) -> Listing:
        """Every tool of every page; a list that does not end is cut, and says so.

        `on_progress` gets the count after each page, in a thread of its own, so that it may wait.
        """
        entries: list[Any] = []
        problem = await self._fill(entries, on_progress)
        listing = read_listing(entries)
        offers, unread = await virtual_tools(self._client, self._explained, {tool.name for tool in listing.tools})
        return replace(
            listing,
            tools=(*listing.tools, *offers),
            problems=(*((problem,) if problem else ()), *listing.problems, *unread),
            instructions=self.instructions,
            server_title=self.server_title,
            server_version=self.server_version,
            protocol=self.protocol,
        )

    async def call(self, name: str, arguments: Mapping[str, Any], seconds: float | None = None) -> CallOutcome:
        """Call a tool once. What the tool or the server objects to is an outcome; no answer at all is a SourceError."""
        patience = seconds or self._timeouts.call
        calling = self._client.call_tool(name, dict(arguments), read_timeout_seconds=patience)
        return await self._outcome(calling, patience + 5, lambda result: read_outcome(raw_result(result.meta)))

    async def fetch(self, method: str, arguments: Mapping[str, Any], seconds: float | None = None) -> CallOutcome:
        """As `call`, for a virtual tool: a prompt or a resource, by the method that its call plan names."""
        asking = fetching(self._client, method, arguments)
        return await self._outcome(asking, seconds or self._timeouts.call, fetched)

    async def relisted(self) -> Listing | None:
        """The tools as they are now, read once after each word of the server that they changed; None before any."""
        if self._listed_after != (changes := self._kept.changes):
            self._listed_now, self._listed_after = await self.list_tools(), changes
        return self._listed_now

    async def _outcome(self, asking: Awaitable[T], seconds: float, read: Callable[[T], CallOutcome]) -> CallOutcome:
        try:
            result = await self._explained(asking, seconds, keep=MCPError)
        except MCPError as error:
            if error.error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT) or self._kept.knows_why:
                raise await self._kept.explain(error) from None
            return CallOutcome(f"The server refused the call: {told(error.error.message)}", is_error=True)
        return read(result)

    @property
    def is_open(self) -> bool:
        """Whether nothing is known to have broken it; a server that is gone may not have been noticed yet."""
        return self._kept.is_open

    async def answers(self, seconds: float) -> bool:
        """Whether the server still knows the session, asked of it where the protocol has a question for that."""
        if not self.is_open or self._version > LAST_WITH_PING:
            return self.is_open
        try:
            with anyio.fail_after(seconds):
                await self._client.session.send_request(PingRequest(), EmptyResult)
        except MCPError as error:
            return self.is_open and error.error.code not in (CONNECTION_CLOSED, REQUEST_TIMEOUT)
        except Exception:  # whatever broke, another session is opened
            return False
        return self.is_open

    async def ping(self) -> float | None:
        """Seconds until it answered, None where the protocol knows no ping. Raises SourceError."""
        if self._version > LAST_WITH_PING:
            return None
        began = anyio.current_time()
        if not await self.answers(self._timeouts.call):
            raise SourceError("It connected and introduced itself, and then did not answer a ping.")
        return anyio.current_time() - began

    async def _fill(self, entries: list[Any], on_progress: Callable[[int], None] | None) -> Problem | None:
        cursor: str | None = None
        seen: set[str] = set()
        deadline = anyio.current_time() + self._timeouts.listing
        for _ in range(MAX_PAGES):
            asking = self._client.list_tools(cursor=cursor)
            page = raw_result((await self._explained(asking, deadline - anyio.current_time())).meta)
            tools = page.get("tools")
            if not isinstance(tools, list):
                raise SourceError("The server answered the request for its tools with something that is no list.")
            entries.extend(tools)
            if on_progress:
                await anyio.to_thread.run_sync(on_progress, len(entries))
            cursor = page.get("nextCursor") or None
            if cursor is None or len(entries) > MAX_TOOLS:
                return None
            if not isinstance(cursor, str) or cursor in seen:
                return Problem(
                    "the list", "It never ends: the server named a page twice. What was read until then is here."
                )
            seen.add(cursor)
        return Problem("the list", f"It has more than {MAX_PAGES:,} pages. What was read until then is here.")

    async def _explained(self, waiting: Awaitable[T], seconds: float, keep: type[Exception] | tuple[()] = ()) -> T:
        try:
            with anyio.fail_after(seconds):
                return await waiting
        except keep:
            raise
        except Exception as error:
            raise await self._kept.explain(error) from None


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
