"""Running a run's tool calls: the chain of links that each is looked up in."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from catalog.editions import Edition
from catalog.generations import Asked
from catalog.models import Server
from catalog.sessions.current import session_pool
from catalog.sessions.pool import SessionPool
from catalog.tools import ToolSpec
from playground.agent.chain import Chain, Link
from playground.agent.large_outputs.offloading import LargeOutputs
from playground.agent.large_outputs.own_tools import OwnTools
from playground.agent.tool_runner import ToolResult
from playground.runs.links.agents import Agents
from playground.runs.links.apps import Apps
from playground.runs.links.built_in import BuiltIn
from playground.runs.links.http_apis import HttpApis
from playground.runs.links.mcp_sessions import McpSessions
from playground.runs.links.skills import Skills
from playground.runs.nested import AgentRuns


def simulated_servers(asked: Asked) -> frozenset[str]:
    """The slugs of the servers whose tools are played, of those that the catalog or its version has."""
    servers = Server.objects.filter(transport=Server.Transport.NONE)
    if isinstance(asked, Edition) and not asked.is_live:
        servers = servers.filter(slug__in=asked.held["server_texts"])
    else:
        servers = servers.filter(in_catalogs__catalog=asked.pk)
    return frozenset(servers.values_list("slug", flat=True))


class CatalogTools:
    """The tools of one run, known by its id. Sessions that its calls open belong to the pool of the event loop."""

    def __init__(
        self,
        run: str,
        simulated: Collection[str],
        agents: AgentRuns,
        outputs: LargeOutputs | None = None,
        pool: Callable[[], SessionPool] = session_pool,
    ) -> None:
        self._run = run
        self._pool = pool
        self._built_in = BuiltIn(simulated)
        self._agents = Agents(agents)
        self._chain = Chain(self._links(outputs))

    def _links(self, outputs: LargeOutputs | None) -> list[Link]:
        """Where a tool may run, in the order asked: one line a link."""
        return [
            OwnTools(outputs),
            self._built_in,
            Skills(),
            self._agents,
            Apps(self._run),
            HttpApis(),
            McpSessions(self._run, self._pool),
        ]

    def is_simulated(self, tool: ToolSpec) -> bool:
        return self._built_in.plays(tool)

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        return await self._chain.run(tool, arguments)

    async def close(self) -> None:
        """The run is over: sessions that it alone used are closed, shared ones stay warm for a while."""
        self._pool().leave(self._run)
