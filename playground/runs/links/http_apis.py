"""The link of APIs that an OpenAPI document describes: a call is one HTTP request."""

from collections.abc import Mapping
from typing import Any

from catalog.connections import api_connection_of
from catalog.models import Server, Tool
from catalog.sources.errors import SourceError
from catalog.sources.openapi import calling
from catalog.sources.openapi.call_plan import CallPlan
from catalog.sources.openapi.request import ApiConnection
from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read


class HttpApis:
    title = "HTTP APIs"

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        try:
            found = await read(_found, tool)
            if found is None:
                return None
            plan, connection = found
            outcome = await calling.run(plan, tool.parameters, arguments, connection)
        except SourceError as problem:
            return Ran(ToolResult(str(problem), is_error=True), "as its document says")
        return Ran(ToolResult(outcome.content_text, outcome.is_error), f"{plan.method} {plan.path}")


def _found(tool: ToolSpec) -> tuple[CallPlan, ApiConnection] | None:
    """None where the server is no API. Raises SourceError where it may not be called."""
    server = Server.objects.filter(slug=tool.server, kind=Server.Kind.OPENAPI).first()
    if server is None:
        return None
    if not server.enabled:
        raise SourceError(f"The server {server.title} was switched off while this ran.")
    kept = Tool.objects.filter(server=server, name=tool.upstream_name, gone_at=None)
    if not (plan := kept.values_list("call_plan", flat=True).first()):
        raise SourceError(f"{tool.upstream_name} was removed while this ran.")
    return CallPlan.of(plan), api_connection_of(server)
