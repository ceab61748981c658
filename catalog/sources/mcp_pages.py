"""The pages of an MCP server's list of tools, up to its end or to what is sound."""

from collections.abc import Callable
from typing import Any

import anyio
from mcp import Client

from catalog.sources.errors import SourceError
from catalog.sources.listing import MAX_TOOLS, Problem
from catalog.sources.mcp_virtual import Explained
from catalog.sources.raw_results import raw_result

MAX_PAGES = 1_000


async def all_entries(
    client: Client, explained: Explained, seconds: float, on_progress: Callable[[int], None] | None
) -> tuple[list[Any], Problem | None]:
    """What the server lists, as it came, and why the list was cut, if it was. Raises SourceError."""
    entries: list[Any] = []
    cursor: str | None = None
    seen: set[str] = set()
    deadline = anyio.current_time() + seconds
    for _ in range(MAX_PAGES):
        page = raw_result((await explained(client.list_tools(cursor=cursor), deadline - anyio.current_time())).meta)
        tools = page.get("tools")
        if not isinstance(tools, list):
            raise SourceError("The server answered the request for its tools with something that is no list.")
        entries.extend(tools)
        if on_progress:
            await anyio.to_thread.run_sync(on_progress, len(entries))
        cursor = page.get("nextCursor") or None
        if cursor is None or len(entries) > MAX_TOOLS:
            return entries, None
        if not isinstance(cursor, str) or cursor in seen:
            said = "It never ends: the server named a page twice. What was read until then is here."
            return entries, Problem("the list", said)
        seen.add(cursor)
    return entries, Problem("the list", f"It has more than {MAX_PAGES:,} pages. What was read until then is here.")
