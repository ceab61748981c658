"""Reading single values of logs, which may be anything: texts, times, figures, tools."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from catalog.prompt_size import estimate_tool
from catalog.sources.definitions import expanded, recognised
from catalog.sources.storable import UnfitError
from catalog.tools import ToolSpec
from playground.foreign.offers import server_of
from playground.foreign.runs import SeenTool, Usage

SEARCHES = ("tool_search", "ToolSearch")
"""How the names or types of tools begin that search for tools, at OpenAI, Anthropic and in Claude Code."""
_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (part for part in value if isinstance(part, dict))


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def parsed(value: Any) -> Any:
    """JSON that stands in a text as what it is; all else as it stands."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def count(value: Any) -> int | None:
    """A figure that counts something; OTLP writes it as a text."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 16:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def first_count(*values: Any) -> int | None:
    return next((found for value in values if (found := count(value)) is not None), None)


def moment(value: Any) -> datetime | None:
    """ISO 8601, or seconds since 1970; None for what is no time of this age."""
    try:
        match value:
            case str():
                found = datetime.fromisoformat(value)
            case int() | float() if not isinstance(value, bool):
                found = datetime.fromtimestamp(value, UTC)
            case _:
                return None
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return found if _EARLIEST < found < _LATEST else None


def usage_of(value: Any) -> Usage:
    """Of OpenAI's two forms and of Anthropic's, which does not count cached tokens as part of the prompt."""
    told = mapping(value)
    read, written = count(told.get("cache_read_input_tokens")), count(told.get("cache_creation_input_tokens"))
    prompt = first_count(told.get("prompt_tokens"), told.get("input_tokens"))
    if prompt is not None and "prompt_tokens" not in told:
        prompt += (read or 0) + (written or 0)
    inside = mapping(told.get("prompt_tokens_details") or told.get("input_tokens_details"))
    outside = mapping(told.get("completion_tokens_details") or told.get("output_tokens_details"))
    return Usage(
        prompt,
        first_count(told.get("completion_tokens"), told.get("output_tokens")),
        first_count(inside.get("cached_tokens"), read),
        written,
        count(outside.get("reasoning_tokens")),
    )


def tools_of(value: Any) -> tuple[SeenTool, ...] | None:
    """The tools of a request, in any usual form; None where there is no list of them."""
    entries = parsed(value)
    if not isinstance(entries, list):
        return None
    pairs = expanded(("", {"name": entry} if isinstance(entry, str) else entry) for entry in map(parsed, entries))
    return tuple(_tools(entry for _, entry in pairs if isinstance(entry, dict)))


def _tools(entries: Iterable[dict[str, Any]]) -> Iterator[SeenTool]:
    for entry in entries:
        kind = words(entry.get("type"))
        try:
            told = recognised(entry).entry
        except UnfitError:
            told = {"name": entry.get("name") or kind}
        name = words(told.get("name")) or kind
        if name:
            searches = kind.startswith(SEARCHES) or name.startswith(SEARCHES)
            deferred = entry.get("defer_loading") is True or mapping(entry.get("function")).get("defer_loading") is True
            yield SeenTool(name, words(told.get("server")) or server_of(name), _tokens(name, told), deferred, searches)


def _tokens(name: str, told: dict[str, Any]) -> int:
    schemas = (told.get(key) for key in ("inputSchema", "input_schema", "parameters"))
    schema = next((schema for schema in schemas if isinstance(schema, dict)), {})
    return estimate_tool(ToolSpec(name, words(told.get("description")), schema))
