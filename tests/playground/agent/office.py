"""The sample's office agent: its pool, and its tools played from the results that ship with them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from catalog.exposure import Candidate, Selection, expose
from catalog.sources import sample
from catalog.tools import ToolPool, ToolSpec
from playground.agent.tool_runner import ToolResult

_HOLE = re.compile(r"\{(\w+)\}")


@cache
def office_pool() -> ToolPool:
    office = next(catalog for catalog in sample.catalogs() if catalog.slug == "office-agent")
    placed = {part.server: part.patterns for part in office.servers}
    globs = [f"{server}:{pattern}" for server, patterns in placed.items() for pattern in patterns]
    whole = [server for server, patterns in placed.items() if not patterns]
    candidates = [
        Candidate(_spec(server, tool), excluded=f"{server.slug}/{tool.name}" in office.excluded)
        for server in sample.servers()
        for tool in server.listing.tools
    ]
    return expose(candidates, Selection(tuple(whole), tuple(globs)), office.pre_discovered).pool


def play(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
    """The result that ships with the tool, the arguments filled in."""
    return ToolResult(json.dumps(_filled(_results()[tool.name], arguments), ensure_ascii=False))


def _spec(server: sample.SampleServer, tool: Any) -> ToolSpec:
    return ToolSpec(
        f"{server.slug}__{tool.name}",
        tool.description,
        tool.parameters,
        server=server.slug,
        upstream_name=tool.name,
        category=tool.category,
    )


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
