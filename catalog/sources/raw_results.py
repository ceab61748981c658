"""Carries what a server answers past the SDK, which throws a whole page of tools away for one that is bad.

The transport is tapped: of the answers to `tools/list` and `tools/call` the SDK sees an empty form that it accepts, and
the answer itself travels in that form's `_meta`. Everything else of the protocol stays the SDK's.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Self

from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse, RequestId, Tool
from pydantic import ValidationError

_RAW = "pegboard/raw"
_HEADER_MARK = "x-mcp-header"
_TAPPED = ("tools/list", "tools/call")


def raw_result(meta: Mapping[str, Any] | None) -> dict[str, Any]:
    """The answer behind the form that the SDK handed out."""
    raw: dict[str, Any] = (meta or {})[_RAW]
    return raw


@asynccontextmanager
async def tapped(transport: AbstractAsyncContextManager[TransportStreams]) -> AsyncIterator[TransportStreams]:
    async with transport as (from_server, to_server):
        methods: dict[RequestId, str] = {}
        yield _TappedRead(from_server, methods), _TappedWrite(to_server, methods)


class _TappedWrite:
    def __init__(self, inner: WriteStream[SessionMessage], methods: dict[RequestId, str]) -> None:
        self._inner = inner
        self._methods = methods

    async def send(self, item: SessionMessage, /) -> None:
        if isinstance(item.message, JSONRPCRequest) and item.message.method in _TAPPED:
            self._methods[item.message.id] = item.message.method
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._inner.__aexit__(*error)


class _TappedRead:
    def __init__(self, inner: ReadStream[SessionMessage | Exception], methods: dict[RequestId, str]) -> None:
        self._inner = inner
        self._methods = methods

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return self._formed(await self._inner.receive())

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._formed(await self._inner.__anext__())

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._inner.__aexit__(*error)

    def _formed(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(item, Exception) or not isinstance(item.message, JSONRPCResponse):
            return item
        method = self._methods.pop(item.message.id, None)
        if method is None:
            return item
        form = _page(item.message.result) if method == "tools/list" else {"content": [], "isError": True}
        result = {"resultType": "complete", **form, "_meta": {_RAW: item.message.result}}
        return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=item.message.id, result=result), item.metadata)


def _page(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The SDK needs the tools that ask for headers of their own, to send those with a call."""
    cursor = raw.get("nextCursor")
    tools = raw.get("tools")
    kept = [tool for tool in tools if _asks_for_headers(tool)] if isinstance(tools, list) else []
    page: dict[str, Any] = {"tools": kept, "ttlMs": 0, "cacheScope": "private"}
    return page | ({"nextCursor": cursor} if isinstance(cursor, str) and cursor else {})


def _asks_for_headers(tool: Any) -> bool:
    match tool:
        case {"inputSchema": {"properties": dict(properties)}}:
            if any(isinstance(part, dict) and _HEADER_MARK in part for part in properties.values()):
                try:
                    Tool.model_validate(tool, by_name=False)
                except ValidationError:
                    return False
                return True
    return False
