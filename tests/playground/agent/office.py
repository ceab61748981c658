"""The sample's catalogs as pools, and their tools played from the results that ship with them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from catalog.agents import PARAMETERS
from catalog.exposure import Candidate, Selection, expose
from catalog.sources import sample
from catalog.sources.skill_text import SKILL_FILE
from catalog.tools import ToolPool, ToolSpec
from playground.agent.tool_runner import ToolResult

_HOLE = re.compile(r"\{(\w+)\}")


def office_pool() -> ToolPool:
    return pool_of("office-agent")


@cache
def pool_of(slug: str) -> ToolPool:
    catalog = next(catalog for catalog in sample.catalogs() if catalog.slug == slug)
    placed = {part.server: part.patterns for part in catalog.servers}
    globs = [f"{server}:{pattern}" for server, patterns in placed.items() for pattern in patterns]
    whole = [server for server, patterns in placed.items() if not patterns]
    candidates = [
        Candidate(_spec(server, tool), excluded=f"{server.slug}/{tool.name}" in catalog.excluded)
        for server in (*sample.servers(), sample.skills())
        for tool in server.listing.tools
    ]
    agents = [Candidate(_agent_spec(agent)) for agent in sample.agents()]
    return expose([*candidates, *agents], Selection(tuple(whole), tuple(globs)), catalog.pre_discovered).pool


def play(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
    """The result that ships with the tool, the arguments filled in; a skill's text; what an agent would say."""
    if tool.capability == "agent":
        return ToolResult(f"Done: {arguments['task']}")
    if tool.capability == "skill":
        texts = {skill.name: skill.files[SKILL_FILE] for skill in sample.skills().listing.tools}
        return ToolResult(texts[tool.upstream_name])
    return ToolResult(json.dumps(_filled(_results()[tool.name], arguments), ensure_ascii=False))


def _spec(server: sample.SampleServer, tool: Any) -> ToolSpec:
    return ToolSpec(
        f"{server.slug}__{tool.name}",
        tool.description,
        tool.parameters,
        server=server.slug,
        upstream_name=tool.name,
        category=tool.category,
        capability=tool.capability,
        permission=tool.permission or None,
    )


def _agent_spec(agent: sample.SampleAgent) -> ToolSpec:
    name = f"agents__{agent.name}"
    return ToolSpec(name, agent.description, PARAMETERS, server="agents", upstream_name=agent.name, capability="agent")


@cache
def _results() -> dict[str, Any]:
    return {
        f"{server.slug}__{tool.name}": tool.simulated_result
        for server in sample.servers()
        for tool in server.listing.tools
    }


def _filled(value: Any, arguments: Mapping[str, Any]) -> Any:
    match value:
        case dict():
            return {name: _filled(part, arguments) for name, part in value.items()}
        case list():
            return [_filled(part, arguments) for part in value]
        case str() if hole := _HOLE.fullmatch(value):
            return arguments.get(hole[1])
        case str():
            return _HOLE.sub(lambda hole: str(arguments.get(hole[1])), value)
    return value
