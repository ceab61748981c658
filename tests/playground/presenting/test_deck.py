"""A run as slides: what each tells, and what its board is on each."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings

from playground.agent.events import CallFinished, OfferMade, RunStarted, ToolInView
from playground.presenting.deck import Deck, Shown, deck_of
from playground.presenting.deck_board import MOST_PEGS
from playground.runs.pace import LONGEST, SHORTEST, waits
from playground.runs.replay import moment_of_turn, moments
from playground.runs.state import Recorded, state_of
from playground.templatetags.deck_text import MOST_TEXT, bounded, changes, share_of
from tests.playground.runs.recordings import EVERY_KIND, recorded, recordings

EVENTS = recorded(EVERY_KIND)
PLAIN = Shown()


def deck(events: list[Recorded] = EVENTS, shown: Shown = PLAIN, **notes: str) -> Deck:
    return deck_of(events, shown, {int(seq.removeprefix("at_")): note for seq, note in notes.items()})


def test_each_slide_tells_the_step_of_its_moment() -> None:
    assert [(slide.moment.kind, slide.step.kind if slide.step else "") for slide in deck().slides] == [
        ("asked", "asked"),
        ("offer", "offered"),
        ("said", "said"),
        ("search", "searched"),
        ("offer", "offered"),
        ("loaded", "loaded"),
        ("offer", "offered"),
        ("bad", "called"),
        ("ok", "called"),
        ("offer", "offered"),
        ("held", "called"),
        ("held", "called"),
        ("bad", "called"),
        ("end", "ended"),
    ]


@settings(deadline=None, max_examples=40)
@given(recordings())
def test_a_slide_shows_the_run_as_its_page_does_at_that_moment(events: list[Recorded]) -> None:
    for slide in deck(events).slides:
        state = state_of(event for event in events if event.seq <= slide.moment.seq)
        assert (slide.meter, slide.turn) == (state.meter, state.summary.turn)
        assert slide.step is None or slide.step in state.steps


def test_a_peg_hangs_from_the_slide_on_that_brought_it() -> None:
    pegs = {peg.name: changes(peg) for peg in deck().board.pegs}
    assert pegs == {"files__list": "2:in-view 10:dropped", "weather__get": "7:new 9:called"}


def test_a_board_has_room_for_so_many_and_leaves_out_those_that_nothing_happens_to() -> None:
    idle = tuple(ToolInView(f"a__{number}", "a", "pre-discovered", 1) for number in range(MOST_PEGS + 20))
    loaded = ToolInView("b__wanted", "b", "loaded", 1, "call")
    names = tuple(tool.name for tool in idle)
    offers = OfferMade(1, idle, names, (), 80, True), OfferMade(2, (*idle, loaded), ("b__wanted",), (), 81, True)
    board = deck(recorded([EVERY_KIND[0], *offers, CallFinished(2, "c", "a__79", "ok", "", 0.1)])).board
    assert len(board.pegs) == MOST_PEGS and board.more == 21
    assert {"a__0", "a__79", "b__wanted"} <= {peg.name for peg in board.pegs}


@pytest.mark.parametrize(("seq", "number"), [(None, 1), (1, 1), (9, 4), (10, 5), (999, 14)])
def test_a_slide_is_found_by_an_event(seq: int | None, number: int) -> None:
    found = deck().at(seq)
    assert found is not None and found.number == number


def test_a_turn_is_found_in_the_slides_and_in_the_record() -> None:
    found = deck().of_turn(3)
    assert found is not None and found.moment.seq == moment_of_turn(EVENTS, 3) == 15
    assert deck().of_turn(9) is None and moment_of_turn(EVENTS, 9) is None


def test_one_steps_to_the_ends_and_no_further() -> None:
    first, last = deck().slides[0], deck().slides[-1]
    assert deck().beside(first, 1) == deck().slides[1] and deck().beside(first, -1) is None
    assert deck().beside(last, -1) == deck().slides[-2] and deck().beside(last, 1) is None
    assert deck([]).beside(None, 1) is None


def test_notes_are_on_slides_only_where_they_are_asked_for() -> None:
    assert [slide.note for slide in deck(shown=Shown(notes=True), at_8="Look.").slides if slide.note] == ["Look."]
    assert not [slide.note for slide in deck(at_8="Look.").slides if slide.note]


def test_a_run_goes_on_until_its_end_and_has_times_if_its_log_has() -> None:
    assert deck().is_over and not deck(EVENTS[:-1]).is_over
    assert isinstance(EVERY_KIND[0], RunStarted)
    assert deck().is_timed and not deck(recorded([replace(EVERY_KIND[0], unknown=("at",))])).is_timed


def test_a_replay_waits_as_long_as_the_run_did_and_says_where_it_shortens() -> None:
    slow = [event._replace(at=event.at + timedelta(seconds=31 * (event.seq > 10))) for event in EVENTS]
    found = waits(moments(slow), slow)
    assert len(found) == len(moments(slow))
    assert [(wait.recorded, wait.played) for wait in found if wait.is_shortened] == [(31.3, LONGEST)]
    assert (found[2].recorded, found[2].played) == (0.2, SHORTEST)
    assert waits((), ()) == ()


def test_texts_and_bars_stay_within_their_bounds() -> None:
    assert bounded("x" * MOST_TEXT) == "x" * MOST_TEXT
    assert bounded("x" * (MOST_TEXT + 1_500)).endswith("… and 1,500 more characters")
    assert [share_of(*pair) for pair in ((5, 10), (-1, 10), (10, 10), (0, 0), (-1, -1))] == [50, 0, 100, 0, 0]
