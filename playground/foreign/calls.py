"""Calls of a foreign run and what came of them: which searched, which brought tools into view."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from catalog.tools import ToolSpec
from playground.agent.events import CallFinished, CallMade, CallSent, Event, HitFound, SearchAnswered, ToolsLoaded
from playground.agent.provider_searches import tell_searches
from playground.foreign.offers import InView, server_of
from playground.foreign.runs import Detail, SeenTool, TimedEvent
from playground.transcript import AssistantMessage, BadArguments, ProviderSearch, ToolCall, ToolMessage

MOST_HITS = 50
_QUERIES = ("query", "pattern", "q", "goal", "regex")


@dataclass(slots=True)
class Exchanged:
    """An answer of the model, and the answers to its calls."""

    answer: AssistantMessage
    detail: Detail
    replies: list[tuple[ToolMessage, Detail]] = field(default_factory=list)


def tell_provider_searches(
    turn: int, searches: Sequence[ProviderSearch], tools: tuple[SeenTool, ...] | None
) -> Iterator[Event]:
    names = [tool.name for tool in tools if tool.deferred] if tools is not None else []
    handed = [ToolSpec(name, server=server_of(name)) for name in names]
    for search in searches:
        found = handed or [ToolSpec(name, server=server_of(name)) for name in search.names]
        for event in tell_searches(turn, [search], found):
            match event:
                case SearchAnswered() if not handed:
                    yield replace(event, unknown=("searched",))
                case CallFinished():
                    yield replace(event, unknown=("seconds",))
                case _:
                    yield event


def tell_calls(
    turn: int, exchanged: Exchanged, in_view: InView, following: tuple[SeenTool, ...] | None
) -> Iterator[TimedEvent]:
    """Each call, then what came of each. `following` are the tools of the next request, if the log has them."""
    replies = {reply.call_id: (reply, detail) for reply, detail in exchanged.replies}
    loads = {id_: _loads(reply, exchanged, in_view, following) for id_, (reply, _) in replies.items()}
    for call in exchanged.answer.calls:
        reply = replies.get(call.id)
        meta = bool(reply and (loads[call.id] or reply[1].searches))
        lacking = (
            *(("arguments",) if "arguments" in exchanged.detail.unknown else ()),
            *(() if reply else ("outcome",)),
        )
        yield exchanged.detail.at, CallMade(turn, call.id, call.name, call.arguments, meta, unknown=lacking)
    for call in exchanged.answer.calls:
        if call.id in replies:
            reply_told, detail = replies[call.id]
            for event in _replied(turn, call, reply_told, detail, loads[call.id]):
                yield detail.at, event
            for name in loads[call.id]:
                in_view.loaded.setdefault(name, call.id)
    for search in exchanged.answer.searches:
        for name in search.names:
            in_view.loaded.setdefault(name, search.id)


def _loads(
    reply: ToolMessage, exchanged: Exchanged, in_view: InView, following: tuple[SeenTool, ...] | None
) -> tuple[str, ...]:
    """What the answer says it loaded; else the tools that the next request carries for the first time and it names."""
    if reply.loaded or following is None or exchanged.detail.tools is None:
        return reply.loaded
    before = {tool.name for tool in exchanged.detail.tools}
    new = (tool.name for tool in following if tool.name not in before and not tool.deferred)
    return tuple(name for name in dict.fromkeys(new) if json.dumps(name)[1:-1] in reply.content)


def _replied(turn: int, call: ToolCall, reply: ToolMessage, detail: Detail, loaded: tuple[str, ...]) -> Iterator[Event]:
    query = _query(call) if detail.searches or loaded else None
    if query is not None:
        yield _searched(turn, call, query, loaded, detail.searched)
    if loaded:
        yield ToolsLoaded(turn, call.id, loaded)
    elif query is None:
        yield CallSent(turn, call.id, call.name, server_of(call.name), simulated=False)
    unknown = (*detail.unknown, *(("seconds",) if detail.seconds is None else ()))
    outcome = "failed" if reply.is_error else "ok"
    seconds = detail.seconds or 0.0
    yield CallFinished(turn, call.id, call.name, outcome, reply.content, seconds, unknown=unknown)  # type: ignore[arg-type]


def _searched(turn: int, call: ToolCall, query: str, loaded: tuple[str, ...], searched: int | None) -> SearchAnswered:
    hits = (HitFound(rank, name, server_of(name), 0.0) for rank, name in enumerate(loaded[:MOST_HITS], start=1))
    found = (query, call.name, tuple(hits), len(loaded))
    unknown = () if searched is not None else ("searched",)
    return SearchAnswered(turn, call.id, *found, searched or 0, scored=False, unknown=unknown)


def _query(call: ToolCall) -> str | None:
    try:
        arguments = call.read_arguments()
    except BadArguments:
        return None
    return next((arguments[name] for name in _QUERIES if isinstance(arguments.get(name), str)), None)
