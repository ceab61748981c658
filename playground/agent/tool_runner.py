"""The protocol of whatever runs a tool call for the loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from catalog.tools import ToolSpec
from playground.agent.events import Hop, KeptOutput


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a call through the chain of links; its fields are those of CallRouted."""

    hops: tuple[Hop, ...]
    call_seconds: float
    start_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back, as text for the model. `kept`: the text stands for an output that is in a file.

    `pictures` are `data:` addresses for a person who called by hand; no model sees them.
    """

    content: str
    is_error: bool = False
    kept: KeptOutput | None = None
    route: Route | None = None
    pictures: tuple[str, ...] = ()


class ToolRunner(Protocol):
    def is_simulated(self, tool: ToolSpec) -> bool:
        """Whether a call of the tool is played, not made."""
        ...

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        """Run the call once. A tool's failure is a result; nothing is retried."""
        ...
