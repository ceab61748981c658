"""Prompts and resources of MCP servers, offered as two tools."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from catalog.sources.mcp import StdioConnection, connect, read
from tests.servers import approved, everything_stdio_command, telling_command

ECHO = {"name": "echo", "inputSchema": {"type": "object"}}


def telling(path: Path, *tools: Mapping[str, object]) -> StdioConnection:
    path.write_text(json.dumps(tools or [ECHO]))
    return StdioConnection(approved(telling_command(path)))


async def test_prompts_are_one_tool_with_their_names_and_arguments(tmp_path: Path) -> None:
    listing = await read(telling(tmp_path / "tools"))
    prompt = {tool.name: tool for tool in listing.tools}["get_prompt"]
    assert prompt.parameters["properties"]["name"]["enum"] == ["summarise", "greet"]
    assert prompt.parameters["properties"]["arguments"]["properties"] == {
        "length": {"type": "string", "description": "Of summarise: In words"}
    }
    assert "summarise(length): Summarise a text" in prompt.description


async def test_resources_and_their_templates_are_one_tool(tmp_path: Path) -> None:
    listing = await read(telling(tmp_path / "tools"))
    resource = {tool.name: tool for tool in listing.tools}["get_resource"]
    assert "file:///readme.txt (readme): What this is" in resource.description
    assert "file:///logs/{day}.txt (log of a day)" in resource.description
    assert resource.parameters["required"] == ["uri"]


async def test_a_prompt_and_a_resource_are_fetched_as_text(tmp_path: Path) -> None:
    async with connect(telling(tmp_path / "tools")) as session:
        prompt = await session.fetch("prompts/get", {"name": "summarise", "arguments": {"length": 9}})
        resource = await session.fetch("resources/read", {"uri": "file:///readme.txt"})
        unknown = await session.fetch("resources/read", {"uri": "file:///nowhere"})
    assert prompt.content_text == "user: Summarise in 9 words"
    assert resource.content_text == "[resource file:///readme.txt]\nRead me."
    assert unknown.is_error
    assert "there is no such thing" in unknown.content_text


async def test_a_tool_of_the_server_keeps_its_name(tmp_path: Path) -> None:
    own = {"name": "get_prompt", "description": "The server's own", "inputSchema": {"type": "object"}}
    listing = await read(telling(tmp_path / "tools", own))
    named = [tool for tool in listing.tools if tool.name == "get_prompt"]
    assert [tool.description for tool in named] == ["The server's own"]
    assert "A tool of the server has this name" in str(listing.problems[0])


async def test_a_real_server_from_npm_offers_both() -> None:
    async with connect(StdioConnection(approved(everything_stdio_command()))) as session:
        listing = await session.list_tools()
        prompt = await session.fetch("prompts/get", {"name": "simple-prompt"})
    assert {"get_prompt", "get_resource"} <= {tool.name for tool in listing.tools}
    assert prompt.content_text.startswith("user: ")


@pytest.mark.parametrize("method", ["prompts/get", "resources/read"])
async def test_what_is_asked_for_without_a_name_is_refused_in_words(tmp_path: Path, method: str) -> None:
    async with connect(telling(tmp_path / "tools")) as session:
        assert (await session.fetch(method, {"name": "", "uri": "x:/"})).is_error
