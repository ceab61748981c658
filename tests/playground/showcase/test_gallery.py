"""Each task of the gallery shows what its card says, played by the demo model."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from catalog.sources import sample
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    OfferMade,
    RunEnded,
    SearchAnswered,
    TextStreamed,
    ToolsDenied,
    ToolsLoaded,
)
from playground.agent.person_events import CallDecided, CallHeld
from playground.modes import MODES
from playground.showcase.gallery import GalleryTask, gallery
from tests.playground.agent.doubles import of_kind
from tests.playground.showcase.playing import ANSWER, RULE, played

TASKS = {task.slug: task for task in gallery()}


@dataclass(frozen=True)
class Run:
    task: GalleryTask
    events: list[Event]
    folder: Path

    @property
    def called(self) -> list[str]:
        """The tools, meta-tools not counted."""
        return [call.tool for call in of_kind(self.events, CallMade) if not call.meta]

    @property
    def searches(self) -> list[SearchAnswered]:
        return of_kind(self.events, SearchAnswered)

    @property
    def offers(self) -> list[OfferMade]:
        return of_kind(self.events, OfferMade)

    @property
    def told(self) -> list[str]:
        """What the model was told by each call."""
        return [call.content for call in of_kind(self.events, CallFinished)]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in of_kind(self.events, TextStreamed))


def names(search: SearchAnswered) -> list[str]:
    return [hit.name for hit in search.hits]


def one_search_brings_one_tool(run: Run) -> None:
    assert len(run.searches) == 1
    assert [load.names for load in of_kind(run.events, ToolsLoaded)] == [("weather__get_forecast",)]
    assert run.called == ["weather__get_forecast"]


def the_sibling_is_among_the_hits_and_not_called(run: Run) -> None:
    assert {"calendar__decline_event", "calendar__cancel_event"} <= {*names(run.searches[0])}
    assert run.called == ["calendar__decline_event"]


def the_second_search_finds_what_the_first_missed(run: Run) -> None:
    first, second = run.searches
    assert "hr__request_leave" not in names(first)
    assert "hr__request_leave" in names(second)
    assert run.called == ["hr__request_leave"]


def a_chinese_search_finds_a_tool_with_an_english_name(run: Run) -> None:
    assert not run.searches[0].query.isascii()
    assert run.called == ["expenses__submit_claim"]


def a_skill_is_read_before_a_tool_is_called(run: Run) -> None:
    assert run.called == ["skills__status-update", "chat__notify_channel"]
    assert any(text.lstrip().startswith("# ") for text in run.told)


def an_agent_is_found_and_handed_the_question(run: Run) -> None:
    assert run.called == ["agents__trip-desk"]
    (call,) = [call for call in of_kind(run.events, CallMade) if not call.meta]
    assert json.loads(call.arguments) == {"task": "What will the weather be in Madrid on 2027-01-18?"}


def the_output_is_in_a_file_and_the_file_is_asked(run: Run) -> None:
    assert run.called == ["archive__read_night_log", "query_large_output"]
    whole, asked = [call for call in of_kind(run.events, CallFinished) if call.tool in run.called]
    assert whole.kept is not None
    assert whole.kept.tokens > 2_000 > len(asked.content)
    assert (run.folder / whole.kept.file).stat().st_size == whole.kept.size
    assert len(asked.content.splitlines()) == 3
    assert all("ORD-77120" in line for line in asked.content.splitlines())
    assert "card expired" in run.text


def the_tool_matches_and_a_rule_keeps_it_back(run: Run) -> None:
    (denied,) = of_kind(run.events, ToolsDenied)
    assert [(one.tool, one.rule) for one in denied.denials] == [("hr__get_payslip", RULE)]
    assert [hit.cut_by.partition(":")[0] for hit in run.searches[0].hits if hit.name == "hr__get_payslip"] == ["policy"]
    assert run.called == []
    assert json.loads(run.told[0])["found"] == 0


def a_later_find_lands_before_an_earlier_one(run: Run) -> None:
    assert [call.partition("__")[0] for call in run.called] == ["travel", "tickets"]
    (broken,) = [offer for offer in run.offers if not offer.prefix_kept]
    assert broken.prefix is not None
    assert "was put before travel__" in broken.prefix.broke


def the_provider_searches_within_an_answer(run: Run) -> None:
    assert {offer.path for offer in run.offers} == {"provider"}
    assert run.offers[0].handed > 100
    (search,) = run.searches
    (call,) = [call for call in of_kind(run.events, CallMade) if not call.meta]
    assert (search.engine, search.turn) == ("provider’s search", call.turn)
    assert call.tool == "travel__search_hotels"
    assert json.loads(call.arguments) == {"city": "Lisbon", "arrival": "2027-03-08", "departure": "2027-03-10"}


def reading_goes_ahead_and_the_message_waits(run: Run) -> None:
    assert run.called == ["weather__get_forecast", "chat__notify_channel"]
    (held,) = of_kind(run.events, CallHeld)
    assert (held.tool, held.asks) == ("chat__notify_channel", "write")
    assert json.loads(held.arguments) == {"channel": "#offsite", "message": "Pack a rain jacket for Saturday"}
    sent = [call.call_id for call in of_kind(run.events, CallSent)]
    assert run.events.index(held) < run.events.index(of_kind(run.events, CallDecided)[0])
    assert held.call_id in sent


def what_a_person_answers_is_the_result(run: Run) -> None:
    assert "chat__ask_human" in [tool.name for tool in run.offers[0].tools]
    assert of_kind(run.events, ToolsLoaded) == []
    (held,) = of_kind(run.events, CallHeld)
    assert (held.tool, held.question) == ("chat__ask_human", "Two rooms fit. Shall I take the larger one?")
    assert run.told[-1] == ANSWER


def each_lane_makes_the_same_calls_and_the_one_with_every_tool_sends_most(run: Run) -> None:
    modes = [*run.task.lanes]
    lanes = {mode: Run(run.task, played(run.task, run.folder, mode=mode), run.folder) for mode in modes}
    assert {tuple(lane.called) for lane in lanes.values()} == {("weather__get_forecast", "chat__notify_channel")}
    assert min(lanes, key=lambda mode: len(lanes[mode].offers)) == "everything"
    assert max(lanes, key=lambda mode: sum(offer.tokens for offer in lanes[mode].offers)) == "everything"
    assert [bool(of_kind(lane.events, ToolsLoaded)) for lane in lanes.values()] == [True, True, False]
    assert [len(lane.searches) for lane in lanes.values()] == [2, 2, 0]


def nothing_is_searched(run: Run) -> None:
    assert run.searches == []
    assert len(run.offers) == 2
    assert run.called == ["files__list_files"]


def every_tool_is_sent_with_every_turn(run: Run) -> None:
    assert run.searches == []
    assert {len(offer.tools) for offer in run.offers} == {147}
    assert min(offer.tokens for offer in run.offers) > 20_000
    assert run.called == ["calendar__find_rooms"]


CLAIMS: dict[str, Callable[[Run], None]] = {
    "one-search": one_search_brings_one_tool,
    "look-alikes": the_sibling_is_among_the_hits_and_not_called,
    "miss-and-recover": the_second_search_finds_what_the_first_missed,
    "chinese": a_chinese_search_finds_a_tool_with_an_english_name,
    "skill": a_skill_is_read_before_a_tool_is_called,
    "nested-agent": an_agent_is_found_and_handed_the_question,
    "large-output": the_output_is_in_a_file_and_the_file_is_asked,
    "denied": the_tool_matches_and_a_rule_keeps_it_back,
    "prefix-breaks": a_later_find_lands_before_an_earlier_one,
    "provider-searches": the_provider_searches_within_an_answer,
    "waits": reading_goes_ahead_and_the_message_waits,
    "asks-you": what_a_person_answers_is_the_result,
    "side-by-side": each_lane_makes_the_same_calls_and_the_one_with_every_tool_sends_most,
    "from-the-start": nothing_is_searched,
    "every-tool": every_tool_is_sent_with_every_turn,
}


def test_every_task_has_its_proof_a_catalog_of_the_sample_and_a_mode_that_is_there() -> None:
    assert CLAIMS.keys() == TASKS.keys()
    assert len(TASKS) == len(gallery()) >= 10
    assert {task.catalog for task in gallery()} <= {catalog.slug for catalog in sample.catalogs()}
    assert {mode for task in gallery() for mode in (task.mode, *task.lanes)} <= {"", *MODES}
    assert len({(task.task, task.catalog, task.mode, task.lanes) for task in gallery()}) == len(TASKS), (
        "a last run must be of one"
    )


@pytest.mark.parametrize("slug", CLAIMS)
def test_a_task_shows_what_its_card_says(slug: str, tmp_path: Path) -> None:
    run = Run(TASKS[slug], played(TASKS[slug], tmp_path), tmp_path)
    CLAIMS[slug](run)
    assert run.events[-1] == RunEnded("completed")


def test_who_is_no_guest_gets_the_payslip(tmp_path: Path) -> None:
    events = played(TASKS["denied"], tmp_path, context={"role": "staff"})
    assert [call.tool for call in of_kind(events, CallMade) if not call.meta] == ["hr__get_payslip"]
    assert of_kind(events, ToolsDenied) == []


def test_in_the_catalogs_own_mode_the_same_prompt_stays_cacheable(tmp_path: Path) -> None:
    events = played(TASKS["prefix-breaks"], tmp_path, mode="mcpagent")
    assert all(offer.prefix_kept for offer in of_kind(events, OfferMade))
