"""How a model uses the meta-tools that it sees: one line a way of discovery."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from playground.agent.scripted.matching import KnownTool


@dataclass(frozen=True, slots=True)
class Discovery:
    """`search` takes its query in `query`; `load` takes the names to load, as a list, in `names`.

    Without a `load`, what a search finds is loaded by it.
    """

    search: str
    query: str
    load: str
    names: str
    others: tuple[str, ...] = ()
    """Further meta-tools and aids, which are no tools for a task."""

    @property
    def meta_names(self) -> frozenset[str]:
        return frozenset((self.search, self.load, *self.others)) - {""}


AIDS = ("search_large_output", "read_large_output", "query_large_output")
PROVIDER_SEARCH = "provider_search"
"""The name under which the scripted model sees a search that its provider makes for it."""
DISCOVERIES = (
    Discovery("search_tools", "query", "add_tool", "tool_names", others=("show_all_tools", *AIDS)),
    Discovery("search_tools", "query", "load_tool", "toolNames"),
    Discovery("search_tools", "query", "", ""),
    Discovery("search_capability", "query", "", ""),
    Discovery("tool_search", "query", "", ""),
    Discovery("tool_search", "regex_pattern", "", ""),
    Discovery(PROVIDER_SEARCH, "query", "", ""),
)
NO_DISCOVERY = Discovery("", "", "", "")


def discovery_among(functions: Mapping[str, Mapping[str, Any]]) -> Discovery:
    """The way that the functions in view allow; NO_DISCOVERY if they hold no search that the scripted model knows."""
    return next((way for way in DISCOVERIES if _allows(functions, way)), NO_DISCOVERY)


def _allows(functions: Mapping[str, Mapping[str, Any]], way: Discovery) -> bool:
    if way.search not in functions or (way.load and way.load not in functions):
        return False
    return way.query in functions[way.search].get("parameters", {}).get("properties", {})


def tools_in(answer: str) -> Iterator[KnownTool]:
    """The tools that a search's JSON answer names, wherever in it they stand."""
    try:
        yield from _named(json.loads(answer))
    except (ValueError, RecursionError):
        return


def _named(value: Any) -> Iterator[KnownTool]:
    match value:
        case {"name": str(name)}:
            yield KnownTool(name, str(value.get("description") or ""))
        case dict():
            for part in value.values():
                yield from _named(part)
        case list():
            for part in value:
                yield from _named(part)
