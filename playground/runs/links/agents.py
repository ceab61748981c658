"""The link of agents: a call is a run of its own."""

from collections.abc import Mapping
from typing import Any

from catalog.tools import ToolSpec
from playground.agent.chain import Ran
from playground.runs.nested import AgentRuns


class Agents:
    """For the calls of one run."""

    title = "agents"

    def __init__(self, agents: AgentRuns) -> None:
        self._agents = agents

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> Ran | None:
        if tool.capability != "agent":
            return None
        return Ran(await self._agents.run(tool, arguments), "a run of its own")
