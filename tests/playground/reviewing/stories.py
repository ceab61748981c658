"""Runs told in a few words, with tools of the server `team`."""

from collections.abc import Iterable

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    HitFound,
    OfferMade,
    Outcome,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.reviewing.evidence import Evidence, evidence_of
from tests.playground.runs.recordings import recorded


def start(task: str = "Do it.") -> Event:
    return RunStarted(task, "Team agent", "mcpagent", "bm25f", "demo/scripted", True, 5, 500)


def offer(turn: int, *names: str, loaded: Iterable[str] = (), call_id: str = "", tokens: int = 10) -> Event:
    upfront = (ToolInView(name, "team", "pre-discovered", tokens) for name in names)
    later = (ToolInView(name, "team", "loaded", tokens, call_id) for name in loaded)
    return OfferMade(turn, (*upfront, *later), (), (), 100, True)


def search(turn: int, query: str, *names: str, cut: Iterable[str] = (), id_: str = "") -> list[Event]:
    """Scores fall by one with each hit; `cut` are those below top-k."""
    call = id_ or f"s{turn}-{query}"
    every = [*((name, "") for name in names), *((name, f"top-k {len(names)}") for name in cut)]
    hits = tuple(HitFound(rank, name, "team", 10.0 - rank, by) for rank, (name, by) in enumerate(every, start=1))
    return [
        CallMade(turn, call, "search_tools", "{}", True),
        SearchAnswered(turn, call, query, "bm25f", hits, len(hits), 5, True),
        CallFinished(turn, call, "search_tools", "ok", "…", 0.1),
    ]


def load(turn: int, *names: str, id_: str = "load") -> list[Event]:
    return [
        CallMade(turn, id_, "add_tool", "{}", True),
        ToolsLoaded(turn, id_, names),
        CallFinished(turn, id_, "add_tool", "ok", "…", 0.1),
    ]


def call(turn: int, name: str, outcome: str = "ok", content: str = "…") -> list[Event]:
    id_ = f"c{turn}-{name}-{outcome}"
    sent = [CallSent(turn, id_, name, "team", True)] if outcome != "refused" else []
    made: Event = CallMade(turn, id_, name, "{}", False)
    return [made, *sent, CallFinished(turn, id_, name, outcome, content, 0.1)]  # type: ignore[arg-type]


def end(outcome: Outcome = "completed") -> Event:
    return RunEnded(outcome)


def told(*parts: Event | list[Event]) -> list[Event]:
    return [event for part in parts for event in (part if isinstance(part, list) else [part])]


def shown(*parts: Event | list[Event]) -> Evidence:
    """What a run shows that began and went like this."""
    return evidence_of(recorded(told(start(), *parts)), lambda server, name: f"{server}/{name}")
