"""Pegboard's own JSON: what a run recorded comes back as it was."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.agent.events import RunEnded
from playground.foreign.pegboard import CUT_OFF, FORMAT, read
from playground.foreign.records import clean
from playground.runs.state import Recorded, state_of
from playground.runs.stored import to_body
from tests.playground.runs.recordings import EVERY_KIND, recorded, recordings


def document(events: list[Recorded], **about: Any) -> dict[str, Any]:
    told = [{"seq": seq, "at": at.isoformat(), "kind": event.kind, **to_body(event)} for seq, at, event in events]
    return {"format": FORMAT, "version": 1, "run": {"id": "", "task": "t", **about}, "events": told}


@settings(max_examples=40, deadline=None)
@given(recordings())
def test_any_recording_comes_back_with_the_same_events_times_and_state(events: list[Recorded]) -> None:
    log = clean(json.dumps(document(events), ensure_ascii=False))
    (thread,) = read(log.text).threads
    found = [Recorded(seq, at, event) for seq, (at, event) in enumerate(thread.runs[0].events, start=1) if at]
    if not isinstance(events[-1].event, RunEnded):
        assert found.pop().event == CUT_OFF
    assert found == events
    assert state_of(found) == state_of(events)


def without(kind: str, /, **changes: Any) -> list[str]:
    """The problems of a record in which the first event of a kind is another."""
    whole = document(recorded(EVERY_KIND))
    event = next(event for event in whole["events"] if event["kind"] == kind)
    event.update(changes)
    found = read(json.dumps(whole))
    assert len(found.threads[0].runs[0].events) == len(EVERY_KIND) - 1
    return [str(problem) for problem in found.problems]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kind": "from_the_future"}, "this release does not know the kind"),
        ({"turn": "x"}, "turn: Input should be a valid integer"),
        ({"tokens": -1}, "tokens is out of range."),
        ({"tokens": 10**15}, "tokens is out of range."),
        ({"tools": None}, "tools: Input should be a valid tuple"),
    ],
    ids=["kind", "type", "negative", "huge", "missing"],
)
def test_a_bad_event_costs_that_event_and_says_why(changes: dict[str, Any], why: str) -> None:
    (problem,) = without("offer_made", **changes)
    assert problem.startswith("Line 1: event 2 was left out:") and why in problem


def test_notes_come_back_with_the_events_that_they_stand_at() -> None:
    notes = [{"seq": 8, "text": "Look."}, {"seq": 99, "text": "Nowhere."}, {"seq": "x", "text": 3}, "odd"]
    whole = {**document(recorded(EVERY_KIND)), "notes": notes}
    assert read(json.dumps(whole)).threads[0].runs[0].notes == ((8, "Look."),)
    whole["events"][1]["tools"] = None
    found = read(json.dumps(whole))
    assert found.threads[0].runs[0].notes == () and "its notes were left out" in str(found.problems[1])


def test_nothing_follows_the_end_of_a_run() -> None:
    found = read(json.dumps(document(recorded([*EVERY_KIND, *EVERY_KIND[:3]]))))
    assert len(found.threads[0].runs[0].events) == len(EVERY_KIND)
    assert "3 events behind its end" in found.problems[0].text


def test_what_a_newer_pegboard_wrote_is_refused() -> None:
    found = read(json.dumps({**document(recorded(EVERY_KIND)), "version": 2}))
    assert (found.threads, len(found.problems)) == ((), 1)


def test_runs_of_one_thread_come_back_in_their_order() -> None:
    events = recorded(EVERY_KIND)
    second, first = (
        document(events, thread="x", position=2, task="two"),
        document(events, thread="x", position=1, task="one"),
    )
    (thread,) = read(f"{json.dumps(second)}\n{json.dumps(first)}").threads
    assert [run.task for run in thread.runs] == ["one", "two"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(EVERY_KIND), max_size=12))
def test_events_in_any_order_can_be_shown(events: list[Any]) -> None:
    for thread in read(json.dumps(document(recorded(events)))).threads:
        timed = [(at, event) for at, event in thread.runs[0].events if at]
        state_of(Recorded(seq, at, event) for seq, (at, event) in enumerate(timed, start=1))
