"""The link of what Pegboard itself brings: tools that are played from their own words, for servers that are not reached."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from catalog.models import Tool
from catalog.sources.arguments import check_arguments
from catalog.sources.simulation import simulate
from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read


class BuiltIn:
    """`simulated` are the slugs of the servers whose tools are played."""

    title = "built-in tools"

    def __init__(self, simulated: Collection[str]) -> None:
        self._simulated = simulated

    def plays(self, tool: ToolSpec) -> bool:
        return tool.capability == "tool" and tool.server in self._simulated

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        if not self.plays(tool):
            return None
        template = await read(_template, tool)
        return Ran(await asyncio.to_thread(_play, tool, arguments, template), "simulated, nothing is sent anywhere")


def _play(tool: ToolSpec, arguments: Mapping[str, Any], template: Any) -> ToolResult:
    if problems := check_arguments(arguments, tool.parameters):
        return ToolResult("The arguments do not fit: " + "; ".join(problems), is_error=True)
    return ToolResult(simulate(template, arguments, tool.parameters, tool.name))


def _template(tool: ToolSpec) -> Any:
    found = Tool.objects.filter(server__slug=tool.server, name=tool.upstream_name)
    return found.values_list("simulated_result", flat=True).first()
