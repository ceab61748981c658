"""The tools with which a model reads an output that was too large for its prompt, and the options that say how large.

A mode that has them offers them as its aids; whoever runs the calls answers them (`playground/agent/large_outputs`).
"""

from typing import Any, Protocol, runtime_checkable

from catalog.tools import ToolSpec

_FILENAME = {"type": "string", "description": "The file’s name, as the message that took the output’s place gives it"}
_RANGE = {
    "start": {"type": "integer", "description": "For read: the first byte, counted from 1"},
    "end": {"type": "integer", "description": "For read: the last byte, which is included"},
}
_QUERY = {
    "query": {"type": "string", "description": "For query: a jq program, e.g. .rows[] | .name"},
    "compact": {"type": "boolean", "description": "For query: each result on one line", "default": False},
    "raw": {"type": "boolean", "description": "For query: texts without their quotes", "default": False},
}
_SEARCH = {
    "pattern": {"type": "string", "description": "For search: a regular expression, matched line by line"},
    "case_sensitive": {"type": "boolean", "description": "For search: letter case counts", "default": False},
    "max_results": {"type": "integer", "description": "For search: matching lines at most", "default": 50},
}
_OPERATION = {
    "type": "string",
    "enum": ["read", "search", "query"],
    "description": "read: a range of bytes. search: lines that match, with two lines around each. query: jq on JSON.",
}


def _spec(name: str, description: str, properties: dict[str, Any], required: list[str]) -> ToolSpec:
    parameters = {"type": "object", "properties": {"filename": _FILENAME, **properties}, "required": required}
    return ToolSpec(name, description, parameters)


SEARCH_LARGE_OUTPUT = _spec(
    "search_large_output",
    "Look into an output that was put into a file because it was too large: read a part, search its lines, or query "
    "its JSON.",
    {"operation": _OPERATION, **_RANGE, **_SEARCH, **_QUERY},
    ["filename", "operation"],
)
READ_LARGE_OUTPUT = _spec(
    "read_large_output",
    "Read a range of bytes of an output that was put into a file because it was too large.",
    _RANGE,
    ["filename", "start", "end"],
)
QUERY_LARGE_OUTPUT = _spec(
    "query_large_output",
    "Run a jq program on a JSON output that was put into a file because it was too large.",
    _QUERY,
    ["filename", "query"],
)
LARGE_OUTPUT_TOOLS = (SEARCH_LARGE_OUTPUT, READ_LARGE_OUTPUT, QUERY_LARGE_OUTPUT)


@runtime_checkable
class OffloadsOutputs(Protocol):
    """Options of a mode under which large outputs leave the prompt. Both are tokens; 0 is never."""

    @property
    def offload_over(self) -> int:
        """An output of more is put into a file; the model is given its beginning."""
        ...

    @property
    def refuse_over(self) -> int:
        """An output of more is dropped; the model is told to ask for less."""
        ...
