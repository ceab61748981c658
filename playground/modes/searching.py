"""Asking a mode for what a model would be answered: the call of its search meta-tool, for a query."""

import json

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
