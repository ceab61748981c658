"""What a run of a log holds, counted, and what the log does not say of it, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from playground.agent.events import CallFinished, CallMade, OfferMade, SearchAnswered
from playground.foreign.runs import ForeignRun

LACKS = {
    "task": "what was asked",
    "model": "the model",
    "at": "when anything was",
    "tools": "which tools were in view",
    "text": "what the model said",
    "arguments": "the arguments of calls",
    "content": "what tools answered",
    "outcome": "what came of a call",
}
"""What a reader would miss, by the names that events give it."""


@dataclass(frozen=True, slots=True)
class LogFigures:
    """`tools` counts those that were ever in view, as far as the log tells; `lacks` is what it does not tell."""

    runs: int
    turns: int
    calls: int
    searches: int
    failed: int
    tools: int
    lacks: tuple[str, ...]


def figures_of(runs: Iterable[ForeignRun]) -> LogFigures:
    """Of runs and what is nested in them."""
    every = [one for run in runs for one in _with_nested(run)]
    events = [event for run in every for _, event in run.events]
    tools = {tool.name for event in events if isinstance(event, OfferMade) for tool in event.tools}
    unknown = {name for event in events for name in getattr(event, "unknown", ())}
    return LogFigures(
        len(every),
        sum(isinstance(event, OfferMade) for event in events),
        sum(isinstance(event, CallMade) for event in events),
        sum(isinstance(event, SearchAnswered) for event in events),
        sum(isinstance(event, CallFinished) and event.outcome == "failed" for event in events),
        len(tools),
        tuple(word for name, word in LACKS.items() if name in unknown),
    )


def _with_nested(run: ForeignRun) -> Iterable[ForeignRun]:
    yield run
    for child in run.nested:
        yield from _with_nested(child)
