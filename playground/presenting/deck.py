"""A recorded run as slides, one a moment, and its board as each slide finds it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from playground.agent.events import (
    CallFinished,
    Event,
    ModelAnswered,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.presenting.course import Course
from playground.presenting.deck_board import DeckBoard, board_of
from playground.runs.board import Meter
from playground.runs.pace import Wait, waits
from playground.runs.replay import Moment, moments
from playground.runs.state import Recorded, RunState, fold
from playground.runs.steps import Asked, Called, Ended, Loaded, Offered, Said, Searched, Step, call_of
from playground.runs.summary import About


@dataclass(frozen=True, slots=True)
class Shown:
    """What those who look on may see beside the course of the run."""

    texts: bool = True
    """Arguments of calls, their results, and why a run ended."""
    notes: bool = False
    nested: bool = False
    """What the runs of agents did that it called."""


@dataclass(frozen=True, slots=True)
class Slide:
    """`number` counts from 1. `step` is what the moment tells of, `wait` the time until the next one."""

    moment: Moment
    number: int
    turn: int
    meter: Meter
    step: Step | None
    wait: Wait
    note: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """`is_over`: no slide can follow. `is_timed` is false where the log of an imported run has no times.

    `last_seq` is the number of the last event that it tells of. `nested` are the runs nested in it, by id, where they are shown.
    """

    about: About
    slides: tuple[Slide, ...]
    board: DeckBoard
    shown: Shown
    is_over: bool
    is_timed: bool
    last_seq: int
    nested: Mapping[UUID, Course] = field(default_factory=dict)

    def at(self, seq: int | None) -> Slide | None:
        """The slide that stands after that event; the first where none does, or no event is named."""
        passed = [slide for slide in self.slides if seq is not None and slide.moment.seq <= seq]
        return passed[-1] if passed else next(iter(self.slides), None)

    def of_turn(self, turn: int | None) -> Slide | None:
        """The one with which the turn begins; none where the run has no such turn."""
        return next((one for one in self.slides if one.turn == turn and one.moment.kind == "offer"), None)

    def beside(self, slide: Slide | None, by: int) -> Slide | None:
        """The one so many on, or back where it is below zero."""
        place = (slide.number if slide else 0) - 1 + by
        return self.slides[place] if 0 <= place < len(self.slides) else None


def deck_of(
    events: Sequence[Recorded], shown: Shown, notes: Mapping[int, str], nested: Mapping[UUID, Course] | None = None
) -> Deck:
    """`notes` are the speaker's, by the event at which each stands."""
    found = moments(events)
    told, last = _followed(events, {moment.seq for moment in found})
    slides = tuple(
        Slide(
            moment,
            number,
            state.summary.turn,
            state.meter,
            step,
            wait,
            notes.get(moment.seq, "") if shown.notes else "",
        )
        for number, (moment, (state, step), wait) in enumerate(
            zip(found, told, waits(found, events), strict=True), start=1
        )
    )
    board = board_of([state.board for state, _ in told])
    is_timed = "at" not in last.about.unknown
    return Deck(last.about, slides, board, shown, last.summary.is_over, is_timed, last.seq, nested or {})


def _followed(
    events: Iterable[Recorded], wanted: Collection[int]
) -> tuple[list[tuple[RunState, Step | None]], RunState]:
    """The run after each of the wanted events with the step that the event is told by, and after all of them."""
    state, told = RunState(), []
    for recorded in events:
        state = fold(state, *recorded)
        if recorded.seq in wanted:
            told.append((state, _told_by(recorded.event, state.steps)))
    return told, state


def _told_by(event: Event, steps: Sequence[Step]) -> Step | None:
    kind: type[Step]
    call_id = ""
    match event:
        case RunStarted():
            kind = Asked
        case OfferMade():
            kind = Offered
        case ModelAnswered():
            kind = Said
        case SearchAnswered(call_id=call_id):
            kind = Searched
        case ToolsLoaded(call_id=call_id):
            kind = Loaded
        case CallFinished(call_id=call_id) | CallHeld(call_id=call_id) | CallDecided(call_id=call_id):
            kind = Called
        case _:
            kind = Ended
    return next((step for step in reversed(steps) if isinstance(step, kind) and _is_of(step, call_id)), None)


def _is_of(step: Step, call_id: str) -> bool:
    call = call_of(step)
    return call is None or call.call_id == call_id
