"""The link of APIs that an OpenAPI document describes: a call is one HTTP request."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from catalog.connections import api_connection_of
from catalog.models import Server
from catalog.sources.errors import SourceError
from catalog.sources.openapi import calling
from catalog.sources.openapi.call_plan import CallPlan
from catalog.sources.openapi.request import ApiConnection
from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.agent.tool_runner import ToolResult
from playground.runs.database import read
from playground.runs.links.promises import HELD_BACK, why_not_as_offered


class HttpApis:
    """For the calls of one run."""

    title = "HTTP APIs"

    def __init__(self) -> None:
        self._since = timezone.now()

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        try:
            found = await read(_found, tool, self._since)
            if found is None:
                return None
            if isinstance(found, str):
                return Ran(ToolResult(found, is_error=True), HELD_BACK)
            plan, connection = found
            outcome = await calling.run(plan, tool.parameters, arguments, connection)
        except SourceError as problem:
            return Ran(ToolResult(str(problem), is_error=True), "as its document says")
        return Ran(ToolResult(outcome.content_text, outcome.is_error), f"{plan.method} {plan.path}")


def _found(tool: ToolSpec, since: datetime) -> tuple[CallPlan, ApiConnection] | str | None:
    """None where the server is no API, a sentence where the tool is not what was offered.

    Raises SourceError where it may not be called.
    """
    server = Server.objects.filter(slug=tool.server, kind=Server.Kind.OPENAPI).first()
    if server is None:
        return None
    if not server.enabled:
        raise SourceError(f"The server {server.title} was switched off while this ran.")
    row = server.tools.filter(name=tool.upstream_name, gone_at=None).first()
    if row is None or not row.call_plan:
        raise SourceError(f"{tool.upstream_name} was removed while this ran.")
    return why_not_as_offered(tool, row, since) or (CallPlan.of(row.call_plan), api_connection_of(server))
