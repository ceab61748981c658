"""Lanes in figures: what each came to, against the lead, and which is best."""

from dataclasses import replace
from uuid import UUID

import pytest

from playground.agent.events import CallFinished, CallMade, Event, ModelAnswered, OfferMade, RunEnded, RunStarted
from playground.runs.expectation import read_expectation
from playground.runs.lane_state import Figures, Lane, figures_of, lane_at
from playground.runs.lane_summary import LaneSummary, Measure, summary_of
from playground.runs.reading_lanes import Point, lanes_at, stops
from playground.templatetags.lane_text import lanes_markdown
from tests.playground.runs.recordings import EVERY_KIND, FILES, recorded

STARTED = RunStarted("t", "c", "mcpagent", "e", "x", False, 9, 900)


def turn(number: int, tokens: int, cost: float | None = 0.01) -> tuple[Event, ...]:
    offer = OfferMade(number, (FILES,), (), (), tokens, True, message_tokens=10)
    return offer, ModelAnswered(number, "stop", 0.1, cost=cost)


def call(number: int, tool: str, outcome: str = "ok") -> tuple[Event, ...]:
    call_id = f"{tool}-{number}"
    finished = CallFinished(number, call_id, tool, outcome, "", 0.1)  # type: ignore[arg-type]
    return CallMade(number, call_id, tool, '{"a": 1}', False), finished


def lane(place: int, *events: Event) -> Lane:
    return lane_at(place, UUID(int=place), recorded((STARTED, *events)))


SHORT = lane(1, *turn(1, 90), *call(1, "files__list"), *turn(2, 90), RunEnded("completed"))
LONG = lane(2, *turn(1, 390), RunEnded("completed"))
FAILED = lane(3, RunEnded("failed", "Model rejected: 401"))


def summary(*lanes: Lane, expect: str = "", lead: int = 1) -> LaneSummary:
    return summary_of(lanes, lead, read_expectation(expect), {1: "mcpagent", 2: "a | b", 3: "<b>"}, 0.5)


def best(told: LaneSummary) -> dict[Measure, list[int]]:
    return {row.measure: [cell.place for cell in row.cells if cell.best] for row in told.rows}


def test_figures_are_those_of_all_prompts_and_calls() -> None:
    some = lane(1, *turn(1, 90), *call(1, "a"), *call(2, "b", "failed"), *call(3, "c", "refused"), *turn(2, 200))
    told = figures_of(some, ())
    assert (told.turns, told.tokens, told.ok, told.failed) == (2, 310, 1, 2)
    assert told.cost == pytest.approx(0.02)
    assert told.status == "running" and told.seconds == pytest.approx(1.0)


def test_an_answer_without_a_price_leaves_the_cost_unknown() -> None:
    assert figures_of(lane(1, *turn(1, 90, None)), ()).cost is None
    assert summary(lane(1, *turn(1, 90, None)), LONG).cost is None


def test_a_lane_that_completes_is_a_success_unless_calls_are_expected_that_it_did_not_make() -> None:
    def is_success(lane: Lane, expect: str) -> bool:
        return figures_of(lane, read_expectation(expect)).is_success

    assert is_success(SHORT, "") and is_success(SHORT, "files__list") and is_success(SHORT, 'files__list {"a": 1}')
    assert not is_success(SHORT, 'files__list {"a": 2}')
    assert not is_success(LONG, "files__list")
    assert not is_success(FAILED, "")
    refused = lane(1, *turn(1, 90), *call(1, "files__list", "refused"), RunEnded("completed"))
    assert not is_success(refused, "files__list")


def test_the_difference_is_against_the_lead_lane() -> None:
    tokens = next(row for row in summary(SHORT, LONG).rows if row.measure == "tokens")
    assert [cell.percent for cell in tokens.cells] == [None, 100]
    tokens = next(row for row in summary(SHORT, LONG, lead=2).rows if row.measure == "tokens")
    assert [cell.percent for cell in tokens.cells] == [-50, None]


def test_the_best_is_told_of_lanes_that_are_a_success_once_all_are_over() -> None:
    assert best(summary(SHORT, LONG, FAILED)) == {"cost": [2], "tokens": [1], "turns": [2], "seconds": [2]}
    assert not any(best(summary(SHORT, LONG, expect="files__list")).values()), "one lane has nobody to beat"
    assert not any(best(summary(SHORT, LONG, lane(3, *turn(1, 1)))).values()), "one is still under way"
    assert not best(summary(SHORT, replace(SHORT, place=2)))["tokens"]


def test_what_all_lanes_cost_and_how_many_are_a_success() -> None:
    told = summary(SHORT, LONG, FAILED)
    assert told.cost == pytest.approx(0.03)
    assert (told.successes, told.is_over, told.is_free) == (2, True, False)


def test_the_summary_as_markdown_makes_no_markup_of_titles() -> None:
    lines = lanes_markdown(summary(SHORT, LONG, FAILED)).splitlines()
    assert lines[0] == r"|  | 1. mcpagent | 2. a \| b | 3. \<b\> |"
    assert "| Tokens | 200, fewest | 400 (+100 %) | 0 |" in lines
    assert lines[2] == "| Success | success | success | failed |"


def test_a_lane_followed_in_batches_is_the_lane_read_whole() -> None:
    rows = recorded(EVERY_KIND)
    whole, followed = lane_at(1, UUID(int=1), rows), Lane(1, UUID(int=1))
    for start in range(0, len(rows), 3):
        followed = followed.after(rows[start : start + 3])
    assert followed == whole


def test_all_lanes_move_together_by_turn_and_by_time() -> None:
    places = {1: UUID(int=1), 2: UUID(int=2)}
    events = {1: recorded(EVERY_KIND), 2: recorded((STARTED, *turn(1, 90), RunEnded("completed")))}
    one, other = lanes_at(places, events, Point("turn", 1))
    assert (one.state.summary.turn, one.is_over, other.is_over) == (1, False, True)
    one, other = lanes_at(places, events, Point("time", 101))
    assert (one.state.seq, other.state.seq) == (2, 2)
    assert [stop.seq for stop in stops(events, "turn")] == [1, 2, 3, 4]
    times = [stop.seq for stop in stops(events, "time")]
    assert times == sorted(set(times))
    last = lanes_at(places, events, Point("time", times[-1]))
    assert last == lanes_at(places, events, None)


def test_lanes_of_which_nothing_is_recorded_yet_stand_at_nothing() -> None:
    empty = Lane(1, UUID(int=1))
    assert figures_of(empty, ()) == Figures("waiting", 0, 0, 0.0, False, None, 0, 0, 0, 0)
    assert stops({1: []}, "time") == stops({1: []}, "turn") == ()
