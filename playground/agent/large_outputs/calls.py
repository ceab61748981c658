"""The calls of the tools that read large outputs, answered with the words of mcpagent's program (P-30, P-31)."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from catalog.patterns import PatternError
from playground.agent.large_outputs.files import OutputFiles, UnfitNameError, UnreadableError
from playground.agent.large_outputs.querying import Query, QueryFailedError, run_query
from playground.agent.large_outputs.reading import ByteRange, first_bytes
from playground.agent.large_outputs.searching import matching_lines
from playground.agent.tool_runner import ToolResult

MAX_RESULTS = 50
"""Lines that a search finds where the call names no number."""

Arguments = Mapping[str, Any]


class UnfitCallError(Exception):
    """The call cannot be answered; the message says why, in words for the model."""


def answer_call(files: OutputFiles, tool: str, arguments: Arguments, most: int) -> ToolResult:
    """Of about `most` bytes at most. May take seconds: not for the event loop."""
    try:
        match _operation(tool, arguments):
            case "read":
                return ToolResult(_read(files, arguments, most))
            case "search":
                return ToolResult(_search(files, arguments, most))
            case _:
                return ToolResult(_query(files, arguments, most))
    except (UnfitCallError, UnfitNameError, UnreadableError) as mistake:
        return ToolResult(str(mistake), is_error=True)


def _operation(tool: str, arguments: Arguments) -> str:
    if tool != "search_large_output":
        return tool.removesuffix("_large_output")
    operation = _text(arguments, "operation")
    if operation not in ("read", "search", "query"):
        raise UnfitCallError(f"invalid operation: {operation}. Must be 'read', 'search', or 'query'")
    return operation


def _read(files: OutputFiles, arguments: Arguments, most: int) -> str:
    filename = _text(arguments, "filename")
    start, end = _whole(arguments, "start"), _whole(arguments, "end")
    try:
        return ByteRange(start, end).of(files.read(filename), most)
    except ValueError as mistake:
        raise UnfitCallError(str(mistake)) from None


def _search(files: OutputFiles, arguments: Arguments, most: int) -> str:
    filename, pattern = _text(arguments, "filename"), _text(arguments, "pattern")
    results = _whole(arguments, "max_results", MAX_RESULTS)
    ignore_case = arguments.get("case_sensitive") is not True
    try:
        text = files.read(filename).decode()
        found = matching_lines(text, pattern, ignore_case=ignore_case, most=max(results, 0))
    except (PatternError, UnreadableError) as problem:
        raise UnfitCallError(f"search failed: {problem}") from None
    shown = first_bytes(found, most)
    return found if shown == found else f"{shown}\n[Cut off here: at most {most:,} bytes are answered. Ask for less.]"


def _query(files: OutputFiles, arguments: Arguments, most: int) -> str:
    filename, program = _text(arguments, "filename"), _text(arguments, "query")
    query = Query(program, arguments.get("compact") is True, arguments.get("raw") is True)
    try:
        return run_query(files.read(filename).decode(), query, most)
    except (QueryFailedError, UnreadableError) as problem:
        raise UnfitCallError(f"jq query failed: {problem}") from None


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise UnfitCallError(f"{name} parameter is required")
    return value


def _whole(arguments: Arguments, name: str, default: int | None = None) -> int:
    """A JSON number, its fraction cut off."""
    value = arguments.get(name, default)
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return int(value)
    if default is None:
        raise UnfitCallError(f"{name} parameter is required")
    return default
