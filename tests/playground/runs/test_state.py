"""A run's state: folded from events, whatever way they come."""

import json
from dataclasses import replace
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from playground.agent.events import (
    CallMade,
    CallSent,
    Event,
    ModelAnswered,
    ModelRetried,
    OfferMade,
    RunEnded,
    RunStarted,
    TextStreamed,
)
from playground.runs.board import EARLIER, Origin, Peg, PegGroup
from playground.runs.state import Recorded, RunState, state_of
from playground.runs.steps import Asked, Called, Ended, Loaded, Offered, Said, Searched, Step, call_of
from playground.runs.stored import from_row, to_body
from tests.playground.runs.recordings import ADD, EVERY_KIND, FILES, LIMITS, SEARCH, WEATHER, recorded, recordings

unhurried = settings(deadline=None)
S = TypeVar("S", bound=Step)


def after(count: int) -> RunState:
    """The state after that many events of the recording that shows every kind."""
    return state_of(recorded(EVERY_KIND[:count]))


def steps_of(state: RunState, kind: type[S]) -> list[S]:
    return [step for step in state.steps if isinstance(step, kind)]


def group_of(state: RunState, call_id: str) -> PegGroup:
    return next(group for group in state.board.groups if group.call_id == call_id)


def peg_of(state: RunState, name: str) -> Peg:
    return next(peg for peg in state.board.pegs() if peg.name == name)


def run_of(*events: Event) -> RunState:
    return state_of(recorded([RunStarted("t", "c", "m", "e", "x", True, 9, 900), *events]))


@unhurried
@given(recordings(), st.data())
def test_folding_in_pieces_is_folding_at_once(events: list[Recorded], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(events)))
    assert state_of(events[cut:], state_of(events[:cut])) == state_of(events)


@unhurried
@given(recordings())
def test_events_that_went_through_the_database_fold_to_the_same_state(events: list[Recorded]) -> None:
    rows = [(seq, at, event.kind, json.loads(json.dumps(to_body(event)))) for seq, at, event in events]
    assert state_of(Recorded(seq, at, from_row(kind, body)) for seq, at, kind, body in rows) == state_of(events)


@unhurried
@given(recordings())
def test_a_tool_hangs_once_and_those_in_view_are_those_of_the_last_offer(events: list[Recorded]) -> None:
    pegs = list(state_of(events).board.pegs())
    offers = [event for _, _, event in events if isinstance(event, OfferMade)]
    assert len({peg.name for peg in pegs}) == len(pegs)
    assert {peg.name for peg in pegs if not peg.is_dropped} == {
        tool.name for tool in (offers[-1].tools if offers else ())
    }


@unhurried
@given(recordings())
def test_a_step_keeps_its_place_and_its_number(events: list[Recorded]) -> None:
    state = RunState()
    for one in events:
        before, state = state, state_of([one], state)
        assert [step.seq for step in state.steps][: len(before.steps)] == [step.seq for step in before.steps]
    assert len({step.seq for step in state.steps}) == len(state.steps)


@unhurried
@given(recordings())
def test_nothing_of_an_ended_run_is_still_open(events: list[Recorded]) -> None:
    state = state_of(events)
    if state.summary.is_over:
        assert all(said.state != "open" for said in steps_of(state, Said))
        assert all(call.state not in ("asked", "sent") for step in state.steps if (call := call_of(step)))


def test_a_run_without_events_waits() -> None:
    assert RunState().summary.status == "waiting"
    assert not RunState().summary.is_over


def test_the_first_step_is_what_the_person_asked() -> None:
    assert steps_of(after(1), Asked)[0].text == "Weather in Oslo?"
    assert after(1).about.catalog == "Office agent"
    assert after(1).meter.tools_all == 40


def test_text_of_one_answer_is_one_step() -> None:
    (said,) = steps_of(after(5), Said)
    assert (said.text, said.state) == ("I will look.", "open")
    assert steps_of(after(6), Said)[0].state == "whole"


def test_text_that_an_ended_run_broke_off_is_marked() -> None:
    assert steps_of(after(len(EVERY_KIND)), Said)[-1].state == "cut off"


def test_a_retry_starts_the_text_anew() -> None:
    said = steps_of(run_of(TextStreamed(1, "It i"), ModelRetried(1, 1, "r", 1), TextStreamed(1, "It is")), Said)
    assert [(step.text, step.state) for step in said] == [("It i", "cut off"), ("It is", "open")]


def test_a_search_stands_where_its_call_stood() -> None:
    assert isinstance(after(7).steps[-1], Called)
    (search,) = steps_of(after(9), Searched)
    assert (search.seq, search.found.query, search.call.content) == (7, "weather", "found weather__get")
    assert not steps_of(after(9), Called)


def test_what_a_loading_adds_is_known_with_the_next_offer() -> None:
    assert steps_of(after(14), Loaded)[0].tokens is None
    assert (steps_of(after(15), Loaded)[0].tokens, steps_of(after(15), Loaded)[0].prefix_kept) == (100, True)


def test_the_answer_completes_the_turn() -> None:
    assert steps_of(after(5), Offered)[0].seconds is None
    assert (steps_of(after(6), Offered)[0].seconds, steps_of(after(6), Offered)[0].prompt_tokens) == (0.8, 300)


def test_loaded_tools_hang_below_the_search_that_found_them() -> None:
    group = group_of(after(15), "add-1")
    assert (group.origin.turn, group.origin.search) == (1, "weather")
    assert [(peg.name, peg.state) for peg in group.pegs] == [("weather__get", "new")]


def test_tools_that_no_search_found_hang_below_the_call_that_loaded_them() -> None:
    made = CallMade(1, "add-1", "add_tool", "{}", True)
    state = run_of(made, EVERY_KIND[12], OfferMade(2, (WEATHER,), ("weather__get",), (), 100, True))
    assert (group_of(state, "add-1").origin.tool, group_of(state, "add-1").origin.search) == ("add_tool", "")


def test_tools_of_an_earlier_run_are_not_new() -> None:
    state = run_of(OfferMade(1, (SEARCH, WEATHER), ("search_tools", "weather__get"), (), 220, True))
    assert peg_of(state, "weather__get").state == "in view"


def test_what_earlier_runs_loaded_is_one_group() -> None:
    others = (replace(FILES, cause="loaded", call_id="add-0"), WEATHER)
    state = run_of(OfferMade(1, (SEARCH, *others), (), (), 280, True))
    group = group_of(state, EARLIER)
    assert [peg.name for peg in group.pegs] == ["files__list", "weather__get"]
    assert group.origin == Origin(earlier=True)


def test_a_run_says_from_how_many_messages_it_goes_on() -> None:
    started = RunStarted(None, "c", "m", "e", "x", True, 9, 900, history=6)
    (asked,) = steps_of(state_of(recorded([started])), Asked)
    assert (asked.text, asked.history) == (None, 6)


def test_a_start_recorded_by_an_older_release_goes_on_from_nothing() -> None:
    body = to_body(RunStarted("t", "c", "m", "e", "x", True, 9, 900))
    del body["history"]
    assert from_row("run_started", body) == RunStarted("t", "c", "m", "e", "x", True, 9, 900, history=0)


def test_a_called_tool_is_marked_and_counted() -> None:
    state = after(23)
    assert (peg_of(state, "weather__get").state, peg_of(state, "weather__get").calls) == ("called", 1)


def test_a_refused_call_marks_no_tool() -> None:
    assert peg_of(after(23), "files__list").state == "in view"


def test_a_dropped_tool_keeps_its_place_on_the_board() -> None:
    assert peg_of(after(24), "files__list").state == "dropped"
    assert "files__list" in [peg.name for peg in group_of(after(24), "").pegs]


def test_a_tool_that_is_loaded_again_moves_to_the_later_call() -> None:
    again = OfferMade(3, (replace(WEATHER, call_id="add-2"),), ("weather__get",), (), 100, True)
    made = [CallMade(1, call_id, "add_tool", "{}", True) for call_id in ("add-1", "add-2")]
    state = run_of(*made, OfferMade(2, (WEATHER,), ("weather__get",), (), 100, True), again)
    assert [group.call_id for group in state.board.groups] == ["add-2"]


def test_the_meter_counts_the_catalogs_own_tools_and_every_token() -> None:
    meter = after(15).meter
    assert (meter.in_view, meter.meta_in_view, meter.tokens, meter.saved) == (2, 2, 360, 3_640)
    assert [turn.tokens for turn in meter.turns] == [260, 260, 360]


def test_the_prefix_is_kept_since_it_last_broke() -> None:
    assert (after(23).meter.prefix_since, after(24).meter.prefix_since) == (1, 4)


def test_a_call_that_was_sent_and_never_answered_has_an_unknown_outcome() -> None:
    states = {call.call_id: call.state for call in steps_of(after(len(EVERY_KIND)), Called)}
    assert states == {"get-1": "ok", "get-2": "refused", "get-3": "unknown", "get-4": "refused"}


def test_a_call_that_was_never_sent_says_so() -> None:
    state = run_of(CallMade(1, "a", "x", "{}", False), RunEnded("stopped", "A person stopped it."))
    assert steps_of(state, Called)[0].state == "not sent"


def test_a_sent_call_says_whether_it_is_played() -> None:
    state = run_of(CallMade(1, "a", "x", "{}", False), CallSent(1, "a", "x", "weather", True))
    assert (steps_of(state, Called)[0].simulated, steps_of(state, Called)[0].server) == (True, "weather")


def test_a_call_says_which_way_it_took() -> None:
    routes = {call.call_id: call.route for call in steps_of(after(len(EVERY_KIND)), Called)}
    assert routes["get-3"] is None
    assert routes["get-1"] is not None
    assert [(hop.link, hop.said) for hop in routes["get-1"].hops] == [
        ("built-in tools", "not here"),
        ("MCP sessions", "runs it"),
    ]


def test_the_summary_says_how_and_why_the_run_ended() -> None:
    summary = after(len(EVERY_KIND)).summary
    assert (summary.status, summary.reason, summary.activity) == ("interrupted", "The server was stopped.", "")
    assert summary.seconds == round((len(EVERY_KIND) - 1) / 10, 3)
    assert steps_of(after(len(EVERY_KIND)), Ended)


def test_the_providers_tokens_are_summed_where_it_gives_them() -> None:
    summary = after(11).summary
    assert (summary.prompt_tokens, summary.completion_tokens, summary.cached_tokens) == (620, 35, 100)
    assert after(5).summary.prompt_tokens is None


def test_an_unfinished_run_says_what_it_is_at() -> None:
    activities = [after(count).summary.activity for count in (2, 3, 4, 7, len(EVERY_KIND))]
    assert activities == ["asking", "waiting", "answering", "calling", ""]


def test_upfront_tools_hang_in_the_order_offered() -> None:
    assert [peg.name for peg in group_of(after(2), "").pegs] == [SEARCH.name, ADD.name, FILES.name]


def test_the_meter_tells_tools_and_messages_and_what_broke_the_prefix() -> None:
    meter = after(24).meter
    assert (meter.tokens, meter.messages, meter.limits) == (300, 90, LIMITS)
    assert meter.broke == "tools: files__list was taken away"
    assert after(15).meter.broke == ""


def test_a_record_of_an_earlier_release_is_read_as_it_was() -> None:
    body = {
        "turn": 1,
        "tools": [],
        "added": [],
        "removed": [],
        "tokens": 260,
        "prefix_kept": True,
        "path": "",
        "handed": 0,
    }
    offer = from_row("offer_made", body)
    assert isinstance(offer, OfferMade)
    assert (offer.message_tokens, offer.prefix) == (0, None)
    assert run_of(offer).meter.limits is None


def test_costs_are_summed_while_every_answer_has_one() -> None:
    first, second = (ModelAnswered(turn, "stop", 0.1, cost=0.25, cost_all=1.5) for turn in (1, 2))
    started = RunStarted("t", "c", "m", "e", "x", False, 9, 900)
    priced = state_of(recorded([started, first, second])).summary
    assert (priced.cost, priced.cost_all, priced.has_no_price) == (0.5, 3.0, False)
    broken = state_of(recorded([started, first, ModelAnswered(2, "stop", 0.1)])).summary
    assert (broken.cost, broken.cost_all, broken.has_no_price) == (None, None, True)


def test_the_demo_model_is_free_and_lacks_no_price() -> None:
    summary = after(6).summary
    assert (summary.is_free, summary.has_no_price) == (True, False)
