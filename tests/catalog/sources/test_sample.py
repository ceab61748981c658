"""The shipped sample holds together: its catalogs and tasks name tools that exist, and every tool can be played."""

import json
import re
from typing import Any

import pytest

from catalog.exposure import Selection
from catalog.sources import sample
from catalog.sources.arguments import check_arguments
from catalog.sources.simulation import simulate
from catalog.sources.tool_entry import ListedTool
from catalog.tools import ToolSpec

TOOLS = {f"{server.slug}/{tool.name}": tool for server in sample.servers() for tool in server.listing.tools}

OTHERS = {f"agents/{agent.name}" for agent in sample.agents()} | {
    f"skills/{skill.name}" for skill in sample.skills().listing.tools
}


def texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [text for part in value for text in texts(part)]
        case dict():
            return [text for key, part in value.items() for text in [key, *texts(part)]]
    return []


def example(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return example(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        return example(choice, root)
    for value in (*schema.get("examples", ()), *schema.get("enum", ())):
        return value
    if "default" in schema:
        return schema["default"]
    if schema.get("type") == "object":
        return {name: example(schema["properties"][name], root) for name in schema.get("required", ())}
    if schema.get("type") == "array":
        return [example(schema["items"], root)] * schema.get("minItems", 1)
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": True}.get(
        schema.get("type", ""), "2026-12-14" if schema.get("format") == "date" else "some text"
    )


def test_every_server_is_read_without_a_problem() -> None:
    assert len(sample.servers()) >= 10
    assert [problem for server in sample.servers() for problem in server.listing.problems] == []


def spec_of(key: str) -> ToolSpec:
    server, name = key.split("/")
    return ToolSpec(name, server=server)


def test_catalogs_name_servers_tools_and_patterns_that_exist() -> None:
    slugs = {server.slug for server in (*sample.servers(), sample.skills())} | {"agents"}
    for catalog in sample.catalogs():
        assert {part.server for part in catalog.servers} <= slugs
        assert set(catalog.pre_discovered) | set(catalog.excluded) <= TOOLS.keys()
        for part in catalog.servers:
            for pattern in part.patterns:
                selection = Selection(tools=(f"{part.server}:{pattern}",))
                assert any(selection.lets_in(spec_of(key)) for key in TOOLS), pattern


def test_agents_work_with_catalogs_that_exist_and_skills_are_read_without_a_problem() -> None:
    assert {agent.catalog for agent in sample.agents()} <= {catalog.slug for catalog in sample.catalogs()}
    assert sample.skills().listing.problems == ()
    assert {skill.capability for skill in sample.skills().listing.tools} == {"skill"}


def test_tasks_expect_tools_that_exist() -> None:
    assert len(sample.tasks()) >= 5
    for task in sample.tasks():
        assert {name.replace("__", "/", 1) for name in task.expects} <= TOOLS.keys() | OTHERS
        assert task.catalog in {catalog.slug for catalog in sample.catalogs()}
        assert task.searches >= 0


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS.keys())
def test_every_tool_can_be_played(tool: ListedTool) -> None:
    schema = dict(tool.parameters)
    properties = schema.get("properties", {})
    arguments = {name: example(properties[name], schema) for name in schema.get("required", ())}
    assert check_arguments(arguments, tool.parameters) == []
    assert tool.simulated_result is not None
    placeholders = {name for text in texts(tool.simulated_result) for name in re.findall(r"\{(\w+)\}", text)}
    assert placeholders <= properties.keys()
    answer = json.loads(simulate(tool.simulated_result, arguments, tool.parameters, tool.name))
    assert not any(f"{{{name}}}" in text for text in texts(answer) for name in placeholders)
