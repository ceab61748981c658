"""The recording that ships is what the demo model does today, and each caption speaks of what is there."""

from dataclasses import asdict
from pathlib import Path

import pytest

from playground.agent.events import CallRouted, CallSent, Event, RunEnded, RunStarted, TextStreamed
from playground.showcase.gallery import GalleryTask
from playground.showcase.tour import Stop, recording, script, stop_at, stops
from tests.playground.showcase.playing import played

NOT_COMPARED = {"seconds", "limits", "version", "simulated", "prompt_tokens", "completion_tokens", "cost", "cost_all"}
"""What depends on the clock, on the installation, or on who counts."""


def gist(events: list[Event]) -> list[str]:
    """What happened, with the pieces of each text joined."""
    told: list[str] = []
    was_text = False
    for event in events:
        match event:
            case TextStreamed(text=text) if was_text:
                told[-1] += text
            case TextStreamed(text=text):
                told.append(text)
            case CallRouted() | CallSent():
                pass
            case _:
                values = {name: value for name, value in asdict(event).items() if name not in NOT_COMPARED}
                told.append(f"{event.kind} {values}".replace("id-0", "call_0"))
        was_text = isinstance(event, TextStreamed)
    return told


def test_the_recording_is_what_the_demo_model_does_today(tmp_path: Path) -> None:
    """Where it is not, `make tour` records it anew."""
    told = script()
    today = played(GalleryTask("tour", "", "", "", told.task, told.catalog), tmp_path)
    shipped = [event for _, _, event in recording()]
    assert gist(shipped) == gist(today)
    assert shipped[-1] == RunEnded("completed")


def test_the_recording_begins_with_the_task_and_has_no_gap() -> None:
    first = recording()[0].event
    assert isinstance(first, RunStarted)
    assert (first.task, first.scripted) == (script().task, True)
    assert [seq for seq, _, _ in recording()] == list(range(1, len(recording()) + 1))


def test_the_stops_go_on_through_the_run_to_its_end() -> None:
    seqs = [stop.seq for stop in stops()]
    assert seqs == sorted(seqs)
    assert seqs[-1] == recording()[-1].seq
    assert 8 <= len(seqs) <= 10


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.title)
def test_a_caption_speaks_of_a_part_that_shows_something(stop: Stop) -> None:
    assert "{" not in stop.text
    match stop.part:
        case "step":
            assert stop.here in {step.seq for step in stop.state.steps}
        case "hits":
            assert stop.state.steps[-1].found.hits  # type: ignore[attr-defined]
        case "meter" | "chart":
            assert stop.state.meter.turns
        case "board":
            assert len(stop.arriving) == 1


def test_figures_in_captions_are_those_of_the_run() -> None:
    given, saved = stops()[1], stops()[-1]
    assert f"{given.state.meter.in_view} of {given.state.meter.tools_all} tools" in given.text
    sent = sum(turn.tokens for turn in saved.state.meter.turns)
    assert f"{sent:,} tokens of tools were sent" in saved.text


def test_a_moment_of_the_run_belongs_to_the_stop_before_it() -> None:
    second = stops()[3]
    assert stop_at(second.seq - 1).number < second.number <= stop_at(second.seq).number
    assert stop_at(0) == stops()[0]
