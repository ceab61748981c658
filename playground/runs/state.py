"""What a run is at one event, folded from all events up to it: the same for those who watch, come late or replay."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallRouted,
    CallSent,
    Event,
    ModelAnswered,
    ModelRetried,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolsDenied,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.runs import column, column_calls
from playground.runs.board import Board, Holes, Meter
from playground.runs.steps import Asked, Called, Denied, Ended, Offered, Retried, Step
from playground.runs.summary import About, Activity, Summary


class Recorded(NamedTuple):
    """An event as recorded."""

    seq: int
    at: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class RunState:
    """`seq` is the last event's. Each panel of the page shows one part, and is sent again when that part changed."""

    seq: int = 0
    started_at: datetime | None = None
    about: About = field(default_factory=About)
    summary: Summary = field(default_factory=Summary)
    meter: Meter = field(default_factory=Meter)
    board: Board = field(default_factory=Board)
    steps: tuple[Step, ...] = ()

    @property
    def holes(self) -> Holes:
        return self.board.holes(self.meter.tools_all)

    @property
    def chart(self) -> Meter:
        return self.meter

    def at(self, moment: datetime) -> float | None:
        """Seconds since the run began; None where the log of an imported run has no times."""
        if "at" in self.about.unknown:
            return None
        return round((moment - self.started_at).total_seconds(), 3) if self.started_at else 0.0


def state_of(events: Iterable[Recorded], before: RunState | None = None) -> RunState:
    state = before or RunState()
    for recorded in events:
        state = fold(state, *recorded)
    return state


def fold(state: RunState, seq: int, at: datetime, event: Event) -> RunState:
    state = replace(state, seq=seq, started_at=state.started_at or at)
    seconds = state.at(at)
    match event:
        case RunStarted():
            return _started(state, event)
        case OfferMade():
            return _offered(state, seconds, event)
        case ModelRetried(turn, attempt, reason, wait):
            retried = Retried(seq, seconds, turn, attempt, reason, wait)
            return _with(state, (*column.cut_off(state.steps), retried), "waiting")
        case TextStreamed(turn, text):
            return _with(state, column.with_text(state.steps, seq, seconds, turn, text), "answering")
        case ModelAnswered():
            return _answered(state, event)
        case CallMade(turn, call_id, tool, arguments, meta, unknown):
            called = Called(seq, seconds, turn, call_id, tool, arguments, meta, unknown=unknown)
            return _with(state, (*state.steps, called), "calling")
        case SearchAnswered():
            return replace(state, steps=column.with_search(state.steps, event))
        case ToolsLoaded():
            return replace(state, steps=column.with_load(state.steps, seq, seconds, event))
        case ToolsDenied(turn, call_id, denials, total):
            denied = Denied(seq, seconds, turn, call_id, denials, total)
            return replace(state, steps=(*state.steps, denied))
        case CallHeld():
            held = replace(state, summary=state.summary.after_hold())
            return replace(held, steps=column_calls.with_hold(state.steps, seq, event))
        case CallDecided():
            decided = replace(state, summary=state.summary.after_decision())
            return replace(decided, steps=column_calls.with_decision(state.steps, event))
        case CallSent():
            return _with(state, column_calls.with_sent(state.steps, event), "calling")
        case CallRouted():
            return replace(state, steps=column_calls.with_route(state.steps, event))
        case CallFinished():
            return _finished(state, event)
        case RunEnded(outcome, reason):
            steps = (*column_calls.closed(state.steps), Ended(seq, seconds, outcome, reason))
            summary = replace(state.summary, status=outcome, reason=reason, activity="", waits=0, seconds=seconds)
            return replace(state, steps=steps, summary=summary)


def _with(state: RunState, steps: tuple[Step, ...], activity: Activity) -> RunState:
    """The state with new steps; its summary is made anew only when it says something else."""
    if state.summary.activity == activity or state.summary.waits:
        return replace(state, steps=steps)
    return replace(state, steps=steps, summary=replace(state.summary, activity=activity))


def _started(state: RunState, event: RunStarted) -> RunState:
    made_of = (event.catalog, event.mode, event.engine, event.model, event.scripted, event.context)
    about = About(event.task or "", *made_of, event.unknown, event.version)
    meter = Meter(event.tools_all, event.tokens_all, limits=event.limits, unknown=event.unknown)
    summary = replace(state.summary, status="running", is_free=event.scripted)
    at = None if "at" in event.unknown else 0.0
    steps = (*state.steps, Asked(state.seq, at, event.task, event.history, len(event.edited)))
    return replace(state, about=about, meter=meter, steps=steps, summary=summary)


def _offered(state: RunState, seconds: float | None, offer: OfferMade) -> RunState:
    meter = state.meter.after_offer(offer)
    offered = Offered(
        state.seq,
        seconds,
        offer.turn,
        meter.in_view,
        offer.tokens,
        offer.added,
        offer.removed,
        offer.prefix_kept,
        offer.path,
        offer.handed,
        offer.message_tokens,
        offer.prefix,
        unknown=offer.unknown,
    )
    return replace(
        state,
        meter=meter,
        board=state.board.after_offer(
            column.among_own_calls(state.steps, offer), lambda tool: column.origin_of(state.steps, tool)
        ),
        steps=(*column.with_prices(state.steps, offer), offered),
        summary=replace(state.summary, activity="asking", turn=offer.turn),
    )


def _answered(state: RunState, event: ModelAnswered) -> RunState:
    return replace(state, steps=column.with_answer(state.steps, event), summary=state.summary.after_answer(event))


def _finished(state: RunState, event: CallFinished) -> RunState:
    board = state.board if event.outcome == "refused" else state.board.after_call(event.tool, event.outcome == "failed")
    return replace(state, board=board, steps=column_calls.with_finish(state.steps, state.seq, event))
