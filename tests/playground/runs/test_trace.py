"""The trace of a run: what happened, on one scale of time."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from playground.agent.events import RunStarted
from playground.runs.state import Recorded, state_of
from playground.runs.trace import Trace, trace_of
from tests.playground.runs.recordings import EVERY_KIND, recorded, recordings


def trace(count: int = len(EVERY_KIND)) -> Trace:
    return trace_of(state_of(recorded(EVERY_KIND[:count])))


def test_a_turn_holds_its_model_call_and_all_that_came_of_it() -> None:
    assert [(row.kind, row.depth) for row in trace()][:6] == [
        ("asked", 0),
        ("turn", 0),
        ("model", 1),
        ("retried", 1),
        ("searched", 1),
        ("turn", 0),
    ]


def test_a_turn_lasts_until_the_next_and_the_last_until_the_end() -> None:
    turns = [row for row in trace() if row.kind == "turn"]
    assert [row.seconds for row in turns] == [0.8, 0.5, 0.9, 0.7]


def test_a_model_call_says_what_was_said_once_it_is_whole() -> None:
    during, after = (next(row.said for row in trace(count) if row.kind == "model") for count in (5, 6))
    assert during is None
    assert after is not None and after.text == "I will look."


def test_the_scale_stays_until_the_run_outgrows_it() -> None:
    scales = [trace(count).scale for count in range(2, len(EVERY_KIND) + 1)]
    assert scales == sorted(scale for scale in scales if scale)
    assert len(set(scales)) <= 4


def test_problems_are_told_apart() -> None:
    assert [row.kind for row in trace() if row.is_problem] == [
        "retried",
        "called",
        "called",
        "denied",
        "called",
        "ended",
    ]


@pytest.mark.parametrize("count", range(1, len(EVERY_KIND)))
def test_a_row_keeps_its_name_while_the_run_goes_on(count: int) -> None:
    names = [row.key for row in trace(count)]
    assert [row.key for row in trace()][: len(names)] == names


def test_a_run_without_times_has_no_bars() -> None:
    began = EVERY_KIND[0]
    assert isinstance(began, RunStarted)
    started = replace(began, unknown=("at",))
    found = trace_of(state_of(recorded([started, *EVERY_KIND[1:]])))
    assert found.scale is None
    assert all(row.start is None for row in found)


@settings(deadline=None, max_examples=20)
@given(recordings())
def test_every_bar_lies_on_the_scale_and_every_row_has_a_name_of_its_own(events: list[Recorded]) -> None:
    found = trace_of(state_of(events))
    keys = [row.key for row in found]
    assert len(set(keys)) == len(keys)
    assert all(row.start + (row.seconds or 0.0) <= row.scale for row in found if row.start is not None)
