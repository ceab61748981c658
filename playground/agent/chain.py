"""The execution chain: a call is offered to one link after the other, and the first whose it is runs it (S-11)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from catalog.tools import ToolSpec
from playground.agent.events import Hop
from playground.agent.tool_runner import Route, ToolResult

UNKNOWN = "Whether the call was carried out is not known; it was not sent again."
"""Told of a call that went out and got no answer."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a call, and on what it ran. `start_seconds` is the time before it could be sent, None if there was none."""

    result: ToolResult
    note: str = ""
    start_seconds: float | None = None


class Link(Protocol):
    """One place where tools run. `title` names it in the record."""

    title: str

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        """Run the call once, or None where the tool is not this link's. A tool's failure is a result."""
        ...


class Chain:
    """Links in the order in which they are asked."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._links = links

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        """The result, with the way that the call took."""
        hops: list[Hop] = []
        began = time.monotonic()
        for link in self._links:
            ran = await link.run(tool, arguments)
            if ran is None:
                hops.append(Hop(link.title, "not here"))
                continue
            hops.append(Hop(link.title, "runs it", ran.note))
            seconds = max(0.0, time.monotonic() - began - (ran.start_seconds or 0.0))
            return replace(ran.result, route=Route(tuple(hops), seconds, ran.start_seconds))
        route = Route(tuple(hops), time.monotonic() - began)
        return ToolResult(f"Nothing here runs {tool.name}. It was not sent.", is_error=True, route=route)
