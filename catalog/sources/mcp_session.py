"""An open session with an MCP server: its tools, calls, and whether it is still there."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, EmptyResult, PingRequest

from catalog.sources.call_outcome import CallOutcome, read_outcome, told
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing, read_listing
from catalog.sources.mcp_keeping import KeptClient
from catalog.sources.mcp_pages import all_entries
from catalog.sources.mcp_virtual import fetched, fetching, virtual_tools
from catalog.sources.raw_results import raw_result
from catalog.sources.storable import storable_text

MAX_INSTRUCTIONS = 64 * 1024
LAST_WITH_PING = "2025-11-25"
"""The last protocol with a ping; later ones keep no session that a server could lose."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: from the start to the first answer, for a whole list, for one call, and for taking leave."""

    start: float = 15.0
    listing: float = 60.0
    call: float = 60.0
    close: float = 8.0


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
        entries, problem = await all_entries(self._client, self._explained, self._timeouts.listing, on_progress)
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
        outcome = read(result)
        return replace(outcome, content_text=self._kept.masked(outcome.content_text))

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

    async def _explained(self, waiting: Awaitable[T], seconds: float, keep: type[Exception] | tuple[()] = ()) -> T:
        try:
            with anyio.fail_after(seconds):
                return await waiting
        except keep:
            raise
        except Exception as error:
            raise await self._kept.explain(error) from None
