"""Running a run's tool calls: played for servers that cannot be reached, made over MCP for the others, once approved."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from catalog.connections import connection_of
from catalog.models import Catalog, Server, Tool
from catalog.sources.arguments import check_arguments
from catalog.sources.errors import SourceError
from catalog.sources.mcp import Connection
from catalog.sources.simulation import simulate
from catalog.tools import ToolSpec
from playground.agent.tool_runner import ToolResult
from playground.runs import skill_calls
from playground.runs.database import read
from playground.runs.nested import AgentRuns
from playground.runs.sessions import KeptSession


def simulated_servers(catalog: Catalog) -> frozenset[str]:
    """The slugs of the catalog's servers whose tools are played."""
    servers = Server.objects.filter(in_catalogs__catalog=catalog, transport=Server.Transport.NONE)
    return frozenset(servers.values_list("slug", flat=True))


class CatalogTools:
    """The tools of one run. A server's session is opened by the first call and kept; after a failure the next call opens another."""

    def __init__(self, simulated: Collection[str], agents: AgentRuns) -> None:
        self._simulated = simulated
        self._agents = agents
        self._sessions: dict[str, KeptSession] = {}

    def is_simulated(self, tool: ToolSpec) -> bool:
        return tool.capability == "tool" and tool.server in self._simulated

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        match tool.capability:
            case "skill":
                return await skill_calls.run(tool, arguments)
            case "agent":
                return await self._agents.run(tool, arguments)
        try:
            if self.is_simulated(tool):
                return await asyncio.to_thread(_play, tool, arguments, await read(_template, tool))
            return await self._call(tool, arguments, await read(_connection, tool.server))
        except SourceError as problem:
            return ToolResult(str(problem), is_error=True)

    async def close(self) -> None:
        """End every session; servers that were started are stopped."""
        sessions = list(self._sessions.values())
        self._sessions.clear()
        await asyncio.gather(*(session.close() for session in sessions))

    async def _call(self, tool: ToolSpec, arguments: Mapping[str, Any], connection: Connection) -> ToolResult:
        session = self._sessions.get(tool.server)
        if session is None:
            session = self._sessions[tool.server] = KeptSession(connection)
        try:
            outcome = await (await session.opened()).call(tool.upstream_name, arguments)
        except SourceError:
            await self._give_up(tool.server, session)
            raise
        return ToolResult(outcome.content_text, outcome.is_error)

    async def _give_up(self, server: str, session: KeptSession) -> None:
        if self._sessions.get(server) is session:
            del self._sessions[server]
        await session.close()


def _play(tool: ToolSpec, arguments: Mapping[str, Any], template: Any) -> ToolResult:
    if problems := check_arguments(arguments, tool.parameters):
        return ToolResult("The arguments do not fit: " + "; ".join(problems), is_error=True)
    return ToolResult(simulate(template, arguments, tool.parameters, tool.name))


def _template(tool: ToolSpec) -> Any:
    found = Tool.objects.filter(server__slug=tool.server, name=tool.upstream_name)
    return found.values_list("simulated_result", flat=True).first()


def _connection(slug: str) -> Connection:
    """How the server is reached, as its row says now. Raises SourceError where it may not be."""
    server = Server.objects.filter(slug=slug, enabled=True).first()
    if server is None:
        raise SourceError(f"The server {slug} was removed or switched off while this ran.")
    return connection_of(server)
