"""Lists of tools out again: as `tools.yaml`, which holds all that is known of a tool, and as MCP, OpenAI and Anthropic have them.

Each is written piece by piece, so that a list of any length is never held as one text.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.sources.declaration import chosen_text, is_named_parameters
from catalog.sources.tool_entry import ListedTool
from catalog.sources.yaml_writing import write_yaml
from catalog.tools import JsonSchema

NO_PARAMETERS: JsonSchema = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write tools. `is_called` says that a model calls them by the name written, not their server by its own."""

    title: str
    file_name: str
    content_type: str
    is_called: bool
    write: Callable[[Iterable[ListedTool]], Iterator[str]]


def tools_yaml(tools: Iterable[ListedTool]) -> Iterator[str]:
    """A list of declarations (S-1), which reads back as the same tools; parameters are JSON Schemas."""
    before = "tools:\n"
    for tool in tools:
        yield before + _in_a_list(write_yaml([declaration(tool)]))
        before = ""
    if before:
        yield write_yaml({"tools": []})


def _in_a_list(text: str) -> str:
    """One entry without the mark of a document's end, which follows a text that ends in empty lines."""
    return text.removesuffix("...\n") if text.endswith("\n...\n") else text


def declaration(tool: ListedTool) -> dict[str, Any]:
    """What differs from a tool of which nothing is said, in the order in which people read it."""
    rest: dict[str, Any] = {
        "available": None if tool.available else False,
        "searchable": None if tool.searchable else False,
        "category": tool.category,
        "tags": list(tool.tags),
        "permission": tool.permission,
        "platforms": list(tool.platforms),
        "aliases": list(tool.aliases),
        "search_text": tool.search_text,
        "inputSchema" if is_named_parameters(tool.parameters) else "parameters": dict(tool.parameters),
        "annotations": dict(tool.annotations),
    }
    entry = {"name": tool.name} | ({"server": tool.group} if tool.group else {}) | _texts(tool)
    entry |= {key: value for key, value in rest.items() if value not in (None, "", [], {})}
    entry |= {} if tool.output_schema is None else {"outputSchema": dict(tool.output_schema)}
    return entry | ({} if tool.simulated_result is None else {"simulated_result": tool.simulated_result})


def _texts(tool: ListedTool) -> dict[str, Any]:
    """`display` and `desc` by language, and the plain fields where those would not be read as the same."""
    names, texts = (
        {language: both[part] for language, both in tool.localised.items() if part in both}
        for part in ("title", "description")
    )
    found: dict[str, Any] = {} if all(tool.localised.values()) else {"localised": dict(tool.localised)}
    found |= {"display": names} if names else {}
    found |= {"desc": texts} if texts else {}
    found |= {} if tool.title == (chosen_text(names) or "") else {"title": tool.title}
    return found | ({} if tool.description == (chosen_text(texts) or "") else {"description": tool.description})


def mcp_json(tools: Iterable[ListedTool]) -> Iterator[str]:
    """As MCP's `tools/list` answers."""
    yield '{\n  "tools": '
    yield from _json_list(map(_mcp, tools), 1)
    yield "\n}\n"


def openai_json(tools: Iterable[ListedTool]) -> Iterator[str]:
    """As `tools` of a request for chat completions."""
    yield from _json_list(map(_openai, tools))
    yield "\n"


def anthropic_json(tools: Iterable[ListedTool]) -> Iterator[str]:
    """As `tools` of a request for messages."""
    yield from _json_list(map(_anthropic, tools))
    yield "\n"


def _openai(tool: ListedTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": _parameters(tool)}
    return {"type": "function", "function": function}


def _anthropic(tool: ListedTool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": _parameters(tool)}


def _mcp(tool: ListedTool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": tool.name}
    entry |= {"title": tool.title} if tool.title else {}
    entry |= {"description": tool.description, "inputSchema": _parameters(tool)}
    entry |= {"outputSchema": dict(tool.output_schema)} if tool.output_schema else {}
    return entry | ({"annotations": dict(tool.annotations)} if tool.annotations else {})


def _parameters(tool: ListedTool) -> dict[str, Any]:
    return dict(tool.parameters or NO_PARAMETERS)


def _json_list(entries: Iterable[dict[str, Any]], depth: int = 0) -> Iterator[str]:
    """As `json.dumps` indents a list at that depth."""
    inner = "\n" + "  " * (depth + 1)
    before = "["
    for entry in entries:
        yield before + inner + json.dumps(entry, ensure_ascii=False, indent=2).replace("\n", inner)
        before = ","
    yield "[]" if before == "[" else "\n" + "  " * depth + "]"


FORMATS: Mapping[str, Format] = {
    "yaml": Format("tools.yaml", "tools.yaml", "application/yaml", False, tools_yaml),
    "mcp": Format("JSON as MCP", "tools.mcp.json", "application/json", False, mcp_json),
    "openai": Format("JSON as OpenAI", "tools.openai.json", "application/json", True, openai_json),
    "anthropic": Format("JSON as Anthropic", "tools.anthropic.json", "application/json", True, anthropic_json),
}
