"""Every mode under a policy: what is denied in a phase is nowhere that it must not be."""

import json
from dataclasses import replace
from itertools import cycle

import pytest

from catalog.policy import PHASES, Context, Phase, Policy, Rule
from catalog.tools import ToolPool, ToolSpec
from playground.agent.verdict import ForTool, judge
from playground.modes import MODES
from playground.modes.policed import make_mode
from playground.modes.protocol import Answer, DiscoveryMode, Offer, Session
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript
from tests.playground.modes.conftest import WordEngine
from tests.playground.modes.test_every_mode import TASK, every_mode, every_search, names, way_of

DENIED = "send_message"
LOADS_UNASKED = {"mastra-autoload"}
"""Modes whose system does not ask the load phase (M-34)."""
FINDS_BY_LOADING = {"eino", "eino-native", "eino-native-client", "eino-regex", "sanqian"}


def under(slug: str, pool: ToolPool, *rules: Rule, most_handed: int = 0) -> DiscoveryMode:
    session = Session(policy=Policy(rules), most_handed=most_handed)
    return make_mode(MODES[slug], pool, WordEngine(pool), MODES[slug].Options(), session)


def deny(*phases: Phase, name: str = DENIED) -> Rule:
    return Rule(allow=False, name=name, phases=phases or PHASES, key=1)


def call_to_search(mode: DiscoveryMode, query: str) -> ToolCall:
    return ToolCall("1", way_of(mode).search, json.dumps({way_of(mode).query: query}))


def call_to_load(mode: DiscoveryMode, name: str) -> ToolCall:
    way = way_of(mode)
    return ToolCall("2", way.load, json.dumps({way.names: [name]})) if way.load else call_to_search(mode, name)


def after(transcript: Transcript, call: ToolCall, answer: Answer) -> Transcript:
    said = ToolMessage(call.id, call.name, answer.content, answer.loaded, answer.is_error)
    return (*transcript, AssistantMessage("", (call,)), said)


def told(offer: Offer) -> str:
    """All that the model reads of an offer, but for the definitions of the tools in view."""
    return f"{offer.instructions}\n{offer.reminder}\n{[tool.name for tool in offer.handed]}"


@every_search
def test_a_tool_denied_in_search_is_not_found_and_not_listed(slug: str, pool: ToolPool) -> None:
    mode = under(slug, pool, deny("search"))
    assert DENIED not in told(mode.offer(TASK))
    call = call_to_search(mode, "send")
    answer = mode.answer(call, TASK)
    assert DENIED not in answer.content
    assert DENIED not in answer.loaded
    assert answer.ranking is not None
    assert DENIED not in [hit.tool.name for hit in answer.ranking.hits]
    assert [cut.by for cut in answer.ranking.cuts] == [f"policy: the rule “deny {DENIED} in search”"]
    assert [(denial.tool, denial.phase, denial.rule) for denial in answer.denials] == [(DENIED, "search", 1)]
    assert DENIED not in names(mode.offer(after(TASK, call, answer)))


@every_search
def test_a_tool_of_another_platform_is_not_found_not_listed_and_not_in_view(slug: str, pool: ToolPool) -> None:
    of_macs = ("get_weather", DENIED)
    tools = (replace(tool, platforms=("darwin",)) if tool.name in of_macs else tool for tool in pool)
    pool = ToolPool(tuple(tools), (*pool.upfront_names, "get_weather"))
    session = Session(policy=Policy(context={"platform": "linux"}))
    mode = make_mode(MODES[slug], pool, WordEngine(pool), MODES[slug].Options(), session)
    offer = mode.offer(TASK)
    assert not {*of_macs} & {*names(offer)}
    assert DENIED not in told(offer)
    call = call_to_search(mode, "send")
    answer = mode.answer(call, TASK)
    assert DENIED not in (*answer.loaded, answer.content)
    assert {denial.by for denial in (*offer.denials, *answer.denials)} == {"platform"}
    assert DENIED not in names(mode.offer(after(TASK, call, answer)))


@every_search
def test_the_other_tools_are_found_as_ever(slug: str, pool: ToolPool) -> None:
    free, mode = under(slug, pool), under(slug, pool, deny())
    call = call_to_search(mode, "get_weather")
    assert mode.answer(call, TASK).content == free.answer(call, TASK).content


@every_mode
def test_meta_tools_tell_nobody_of_a_tool_that_may_not_be_searched(slug: str, pool: ToolPool) -> None:
    mode = under(slug, pool, deny("search"))
    way = {tool.name: tool for tool in mode.meta_tools}
    for name in way.keys() - {call_to_load(mode, DENIED).name if way else ""}:
        assert DENIED not in mode.answer(ToolCall("3", name, "{}"), TASK).content


@every_search
def test_a_tool_denied_in_load_does_not_come_into_view(slug: str, pool: ToolPool) -> None:
    if slug in LOADS_UNASKED:
        return
    mode = under(slug, pool, deny("load"))
    call = call_to_load(mode, DENIED)
    answer = mode.answer(call, TASK)
    assert DENIED not in answer.loaded
    assert ("load", 1) in {(denial.phase, denial.rule) for denial in answer.denials}
    assert DENIED not in names(mode.offer(after(TASK, call, answer)))
    if slug in FINDS_BY_LOADING:
        assert f'"{DENIED}"' not in answer.content


@pytest.mark.parametrize("slug", ["mcpagent", "mastra"])
def test_what_may_not_be_loaded_is_answered_as_not_there_beside_what_may(slug: str, pool: ToolPool) -> None:
    mode = under(slug, pool, deny("load"))
    way = way_of(mode)
    answer = mode.answer(ToolCall("1", way.load, json.dumps({way.names: [DENIED, "get_weather"]})), TASK)
    assert answer.loaded == ("get_weather",)
    assert f"Not found: {DENIED}" in answer.content


@pytest.mark.parametrize("slug", ["mcpagent", "mastra"])
def test_what_may_not_be_searched_may_still_be_loaded_by_name(slug: str, pool: ToolPool) -> None:
    mode = under(slug, pool, deny("search"))
    call = call_to_load(mode, DENIED)
    answer = mode.answer(call, TASK)
    assert answer.loaded == (DENIED,)
    assert DENIED in names(mode.offer(after(TASK, call, answer)))


@every_search
def test_a_tool_denied_active_is_not_in_view_and_comes_back_for_a_request_that_may(slug: str, pool: ToolPool) -> None:
    free = under(slug, pool)
    call = call_to_load(free, DENIED)
    transcript = after(TASK, call, free.answer(call, TASK))
    if slug.startswith("mastra"):
        return  # what is loaded is in its store; its recorded cases have this
    offer = under(slug, pool, deny("active")).offer(transcript)
    assert DENIED not in names(offer)
    assert [(denial.tool, denial.phase) for denial in offer.denials] == [(DENIED, "active")]
    assert DENIED in names(under(slug, pool, deny("active", name="get_*")).offer(transcript))


@every_mode
def test_a_tool_in_view_from_the_start_is_not_when_it_is_denied_active(slug: str, pool: ToolPool) -> None:
    offer = under(slug, pool, deny("active", name="list_*")).offer(TASK)
    assert "list_files" not in names(offer)
    assert "ask_human" in names(offer)
    assert [(denial.tool, denial.phase) for denial in offer.denials] == [("list_files", "active")]
    assert "list_files" in [tool.name for tool in offer.deferred]


@every_mode
def test_a_denied_tool_is_in_no_offer_at_the_start(slug: str, pool: ToolPool) -> None:
    offer = under(slug, pool, deny(), most_handed=len(pool)).offer(TASK)
    assert DENIED not in names(offer)
    assert DENIED not in told(offer)
    verdict = judge(ToolCall("1", DENIED), offer, MODES[slug].meta_tools, cut_off=False)
    assert not isinstance(verdict, ForTool) or verdict.tool in offer.deferred


@pytest.mark.parametrize("phase", PHASES)
def test_a_provider_is_handed_only_what_is_allowed_in_every_phase(phase: Phase, pool: ToolPool) -> None:
    mode = under("eino-native", pool, deny(phase), most_handed=len(pool))
    offer = mode.offer(TASK)
    assert offer.path == "provider"
    assert DENIED not in told(offer)
    assert [(denial.tool, denial.phase) for denial in offer.denials] == [(DENIED, phase)]
    assert mode.offer(TASK) == offer


@every_mode
def test_without_a_rule_that_fits_nothing_changes(slug: str, pool: ToolPool) -> None:
    assert under(slug, pool, deny(name="no_such_tool")).offer(TASK) == under(slug, pool).offer(TASK)


@every_search
def test_denied_tools_do_not_use_up_places(slug: str, pool: ToolPool) -> None:
    mode = under(slug, pool, deny(name="get_weather"))
    answer = mode.answer(call_to_search(mode, "weather"), TASK)
    assert answer.ranking is not None
    assert "weather_forecast" in [hit.tool.name for hit in answer.ranking.hits]


@every_search
def test_a_question_that_wavers_ends_the_search_all_the_same(slug: str, pool: ToolPool) -> None:
    answers = cycle([True, True, False])

    def wavers(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        return next(answers)

    session = Session(policy=Policy(question=wavers))
    mode = make_mode(MODES[slug], pool, WordEngine(pool), MODES[slug].Options(), session)
    assert mode.answer(call_to_search(mode, "e"), TASK).content


def test_what_is_denied_is_not_counted_among_the_matches(pool: ToolPool) -> None:
    mode = under("mcpagent", pool, deny(name="get_weather"))
    answer = mode.answer(call_to_search(mode, "weather"), TASK)
    assert answer.ranking is not None
    assert answer.ranking.matched == 1
