"""The scripted model in a thread: it answers the last message, with the tools that are in view already."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from playground.agent.events import CallMade, Event, OfferMade
from playground.agent.loop import run_agent
from playground.agent.scripted.needs import carried_over, split_needs
from playground.modes.mcpagent import Mcpagent
from playground.runs.transcripts import transcript_of
from playground.transcript import Transcript
from tests.playground.agent.doubles import PlayedTools, ScriptedModel, collect, of_kind
from tests.playground.agent.office import office_pool, play

OSLO = "What is the weather in Oslo on 2026-12-14?"


@pytest.fixture
def mode(tmp_path: Path) -> Mcpagent:
    return Mcpagent(office_pool(), ENGINES["mcpagent"](Corpus(office_pool().searchable, tmp_path)))


def run(mode: Mcpagent, task: str | None, history: Transcript = ()) -> list[Event]:
    model, tools, day = ScriptedModel(), PlayedTools(play), date(2026, 11, 21)
    return collect(run_agent(mode, model, tools, task, catalog="c", engine="e", history=history, today=day))


def calls(events: list[Event]) -> list[tuple[str, Any]]:
    return [(call.tool, json.loads(call.arguments)) for call in of_kind(events, CallMade)]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("And what is the weather in Bergen on 2026-12-15?", "2026-12-15"),
        ("And in Bergen?", "2026-12-14"),
        ("The same for Bergen, please.", "2026-12-14"),
    ],
)
def test_a_follow_up_is_done_with_the_tool_in_view_and_no_search(mode: Mcpagent, message: str, day: str) -> None:
    history = transcript_of(run(mode, OSLO))
    assert calls(run(mode, message, history)) == [("weather__get_forecast", {"city": "Bergen", "date": day})]


def test_a_follow_up_of_a_follow_up_still_knows_what_was_meant(mode: Mcpagent) -> None:
    history = transcript_of(run(mode, OSLO))
    history = (*history, *transcript_of(run(mode, "And in Bergen?", history)))
    assert calls(run(mode, "And in Lisbon?", history))[0][1] == {"city": "Lisbon", "date": "2026-12-14"}


def test_another_task_is_searched_for_as_ever(mode: Mcpagent) -> None:
    history = transcript_of(run(mode, OSLO))
    called = [name for name, _ in calls(run(mode, "Find a room for eight in Berlin on 2026-12-03.", history))]
    assert called[0] == "search_tools" and called[-1] == "calendar__find_rooms"


def test_without_a_message_it_goes_on_from_the_turn(mode: Mcpagent) -> None:
    events = run(mode, OSLO)
    third = of_kind(events, OfferMade)[2]
    history = transcript_of(events[: events.index(third)])
    assert calls(run(mode, None, history)) == [("weather__get_forecast", {"city": "Oslo", "date": "2026-12-14"})]


def test_a_message_of_values_alone_means_the_need_that_had_such_a_value() -> None:
    before = split_needs("What is the weather in Oslo? Then tell the team in #offsite.")
    (need,) = carried_over(split_needs("And in Bergen?"), before)
    assert need.words == before[0].words
    assert [value.text for value in need.values] == ["Bergen"]


def test_a_message_with_words_of_its_own_means_what_it_says() -> None:
    needs = split_needs("Cancel it")
    assert carried_over(needs, split_needs(OSLO)) == needs
