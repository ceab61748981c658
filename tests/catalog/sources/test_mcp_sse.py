"""Servers that speak the HTTP transport of 2024-11-05 alone: SSE, found out by trying."""

import pytest

from catalog.sources.errors import SourceError
from catalog.sources.mcp import HttpConnection, Timeouts, connect, greet, read
from catalog.sources.mcp_keeping import KeptClient
from catalog.sources.mcp_links import SseLink


async def test_a_real_server_that_speaks_sse_alone_is_read_and_called(everything_sse: str) -> None:
    async with connect(HttpConnection(everything_sse, allow_private=True)) as session:
        listing = await session.list_tools()
        outcome = await session.call("get-sum", {"a": 1, "b": 2})
    assert {"echo", "get-sum"} <= {tool.name for tool in listing.tools}
    assert outcome.content_text == "The sum of 1 and 2 is 3."
    assert listing.protocol.endswith(", over SSE")


async def test_a_test_of_the_connection_says_that_it_is_over_sse(everything_sse: str) -> None:
    greeting = await greet(HttpConnection(everything_sse, allow_private=True))
    assert ", over SSE, and answered a ping in" in greeting.sentence


async def test_sse_passes_the_gate_as_well(everything_sse: str) -> None:
    kept = KeptClient(SseLink(HttpConnection(everything_sse)), start_seconds=10, close_seconds=2)
    with pytest.raises(SourceError, match="is a private or reserved address"):
        await kept.open()
    await kept.close()


async def test_where_sse_fails_too_the_first_failure_is_told(everything_sse: str) -> None:
    address = everything_sse.replace("/sse", "/nowhere")
    with pytest.raises(SourceError, match="HTTP status 404"):
        await read(HttpConnection(address, allow_private=True), timeouts=Timeouts(start=10))
