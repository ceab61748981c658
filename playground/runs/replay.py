"""The moments of a recorded run that are worth stepping to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from playground.agent.events import (
    CallFinished,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.runs.state import Recorded

MomentKind = Literal["asked", "offer", "search", "loaded", "ok", "bad", "said", "held", "end"]


@dataclass(frozen=True, slots=True)
class Moment:
    """`seq` is the event after which the run is shown; `label` says in words what had just happened."""

    seq: int
    kind: MomentKind
    label: str


def moments(events: Iterable[Recorded]) -> tuple[Moment, ...]:
    return tuple(_moments(events))


def next_moment(found: Sequence[Moment], seq: int) -> Moment | None:
    return next((moment for moment in found if moment.seq > seq), None)


def previous_moment(found: Sequence[Moment], seq: int) -> Moment | None:
    return next((moment for moment in reversed(found) if moment.seq < seq), None)


def moment_of_turn(events: Iterable[Recorded], turn: int) -> int | None:
    """The number of the event with which a turn begins; none where the run has no such turn."""
    return next((seq for seq, _, event in events if isinstance(event, OfferMade) and event.turn == turn), None)


def _moments(events: Iterable[Recorded]) -> Iterator[Moment]:
    told: set[str] = set()
    has_text = False
    for seq, _, event in events:
        match event:
            case RunStarted(task=task):
                yield Moment(seq, "asked", "Asked" if task else "Went on")
            case OfferMade(turn, tools):
                has_text = False
                in_view = sum(tool.cause != "meta-tool" for tool in tools)
                seen = "" if "tools" in event.unknown else f": {in_view} tools in view"
                yield Moment(seq, "offer", f"Turn {turn}{seen}")
            case TextStreamed():
                has_text = True
            case ModelAnswered() if has_text:
                yield Moment(seq, "said", "Answered")
            case SearchAnswered(call_id=call_id, query=query):
                told.add(call_id)
                yield Moment(seq, "search", f"Searched for “{query}”")
            case ToolsLoaded(call_id=call_id, names=names):
                told.add(call_id)
                yield Moment(seq, "loaded", f"Loaded {', '.join(names)}")
            case CallHeld(tool=tool):
                yield Moment(seq, "held", f"{tool} waits for a person")
            case CallDecided(decision=decision):
                yield Moment(seq, "held", f"Decided: {decision}")
            case CallFinished(call_id=call_id, tool=tool, outcome=outcome) if call_id not in told:
                yield Moment(seq, "ok" if outcome == "ok" else "bad", f"Called {tool}: {outcome}")
            case RunEnded(outcome):
                yield Moment(seq, "end", f"Ended: {outcome}")
