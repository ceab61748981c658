"""An MCP client kept open in a task of its own.

The SDK ties a connection to the task that opened it, and cancels that task when the connection breaks. Here it is a keeper
that is cancelled: whoever calls gets an error for that call, and may come from any task.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    Implementation,
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ToolListChangedNotification,
)

from catalog.sources.errors import SourceError
from catalog.sources.mcp_links import Link
from catalog.sources.raw_results import tapped

_PEGBOARD = Implementation(name="pegboard", title="Pegboard", version="0.1")
_CHANGES = (ToolListChangedNotification, PromptListChangedNotification, ResourceListChangedNotification)
_FAULT_WAIT = 1.0
"""Seconds in which a broken connection comes to say what broke it."""
_keepers: set["asyncio.Task[None]"] = set()
"""The event loop itself holds tasks only weakly."""


class KeptClient:
    """Opened once and closed once."""

    def __init__(
        self, link: Link, start_seconds: float, close_seconds: float, on_change: Callable[[], None] | None = None
    ) -> None:
        self._link = link
        self._start_seconds = start_seconds
        self._close_seconds = close_seconds
        self._opened = asyncio.Event()
        self._closing = asyncio.Event()
        self._client: Client | None = None
        self._fault: BaseException | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._on_change = on_change
        self.changes = 0
        """How often the server said that what it offers has changed."""

    async def open(self) -> Client:
        """Raises SourceError if there is no answer in time, or none that is MCP."""
        self._keeper = asyncio.create_task(self._keep())
        _keepers.add(self._keeper)
        self._keeper.add_done_callback(_keepers.discard)
        try:
            await self._opened.wait()
        except asyncio.CancelledError:
            self._keeper.cancel()
            raise
        if self._client is None:
            raise self._link.explain(self._fault or TimeoutError()) from None
        return self._client

    async def close(self) -> None:
        """Take leave and wait until nothing of the connection is left; in a hurry it goes on by itself."""
        self._closing.set()
        if self._keeper is not None:
            await asyncio.wait({self._keeper})

    @property
    def knows_why(self) -> bool:
        return self._link.knows_why

    @property
    def is_open(self) -> bool:
        """Whether nothing is known to have broken it."""
        return self._keeper is not None and not self._keeper.done() and not self.knows_why

    def masked(self, text: str) -> str:
        return self._link.masked(text)

    async def explain(self, error: BaseException) -> SourceError:
        """Why a call failed: for a connection that broke, what broke it."""
        is_closed = isinstance(error, MCPError) and error.error.code == CONNECTION_CLOSED
        if is_closed and self._keeper is not None and not self.knows_why:
            await asyncio.wait({self._keeper}, timeout=_FAULT_WAIT)
        return self._link.explain(self._fault if is_closed and self._fault else error)

    def _connected(self) -> Client:
        transport = tapped(self._link.transport())
        return Client(transport, client_info=_PEGBOARD, cache=None, message_handler=self._hear)

    async def _hear(self, message: Any) -> None:
        if isinstance(message, _CHANGES):
            self.changes += 1
            if self._on_change:
                self._on_change()

    async def _keep(self) -> None:
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + self._start_seconds) as scope:
                async with self._connected() as client:
                    scope.deadline = float("inf")
                    self._client = client
                    self._opened.set()
                    await self._closing.wait()
                    scope.deadline = anyio.current_time() + self._close_seconds
        except Exception as error:
            self._fault = error
        finally:
            self._opened.set()
