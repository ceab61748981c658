"""The searches that a model's provider made by itself, told with the events of any search."""

import json
from collections.abc import Iterator, Sequence

from catalog.tools import ToolSpec
from playground.agent.events import CallFinished, CallMade, Event, HitFound, SearchAnswered, ToolsLoaded
from playground.transcript import ProviderSearch

PROVIDER_SEARCH = "provider’s search"
"""Stands where events name the tool that was called, and the engine that searched."""


def tell_searches(turn: int, searches: Sequence[ProviderSearch], handed: Sequence[ToolSpec]) -> Iterator[Event]:
    """What the provider matched beside what it loaded, and how, it does not say. Names that it was not handed are left out."""
    by_name = {tool.name: tool for tool in handed}
    for search in searches:
        found = [by_name[name] for name in search.names if name in by_name]
        yield CallMade(turn, search.id, PROVIDER_SEARCH, search.arguments or _json({"query": search.query}), meta=True)
        yield _answered(turn, search, found, len(handed))
        if found:
            yield ToolsLoaded(turn, search.id, tuple(tool.name for tool in found))
        content = search.problem or _json({"tool_references": [tool.name for tool in found]})
        yield CallFinished(turn, search.id, PROVIDER_SEARCH, "failed" if search.problem else "ok", content, seconds=0.0)


def _answered(turn: int, search: ProviderSearch, found: Sequence[ToolSpec], searched: int) -> SearchAnswered:
    return SearchAnswered(
        turn,
        search.id,
        search.query,
        PROVIDER_SEARCH,
        tuple(HitFound(rank, tool.name, tool.server, score=0.0) for rank, tool in enumerate(found, start=1)),
        matched=len(found),
        searched=searched,
        scored=False,
        problem=search.problem,
    )


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
