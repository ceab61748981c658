"""Which of a mode’s meta-tools does what: the one that searches, called for a query, and the one that loads by name."""

import json
from collections.abc import Sequence

from catalog.tools import ToolSpec
from playground.modes.protocol import DiscoveryMode
from playground.transcript import ToolCall


def search_call(mode: DiscoveryMode, query: str) -> ToolCall | None:
    """The query as the one required text of the first meta-tool that asks for one; None of a mode without such a tool."""
    for tool in mode.meta_tools:
        properties = tool.parameters.get("properties", {})
        required = [name for name in tool.parameters.get("required", ()) if properties[name].get("type") == "string"]
        if len(required) == 1:
            return ToolCall("search", tool.name, json.dumps({required[0]: query}, ensure_ascii=False))
    return None


def loads_by_name(meta_tools: Sequence[ToolSpec]) -> str:
    """The meta-tool that is told the names of what to load; empty where a search loads what it finds."""
    for tool in meta_tools:
        if any(one.get("type") == "array" for one in tool.parameters.get("properties", {}).values()):
            return tool.name
    return ""
