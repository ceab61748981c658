"""What holds for every mode in any conversation: a model that asks sensibly, oddly, or in broken JSON, over several pools."""

import json
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.tools import ToolPool, ToolSpec
from playground.agent.scripted.discovery import Discovery
from playground.agent.verdict import ForMode, Refused, judge
from playground.modes.protocol import Answer, DiscoveryMode
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript
from tests.playground.modes.test_every_mode import TASK, every_mode, made, names, own_tools, way_of

REMEMBERS = {"mastra", "mastra-autoload"}
"""Modes that keep what is loaded in the memory of the process."""
POOL = ToolPool(
    (
        ToolSpec("get_weather", "Weather now.", server="weather"),
        ToolSpec("ask_human", "Ask the person.", server="chat", category="human"),
        ToolSpec("weather_forecast", "Weather later.", server="weather"),
        ToolSpec("send_message", "Send a message.", server="chat"),
        ToolSpec("list_files", "List files.", server="files"),
        ToolSpec("update_workspace_file", "Change a file.", server="files"),
    ),
    ("ask_human", "list_files"),
)
SMALLER = ToolPool(POOL.tools[:3], ("ask_human",))
NOTHING_UPFRONT = ToolPool(POOL.tools)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["query", "tool_names", "x"]), part),
    max_leaves=6,
)
thorough = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Conversation:
    """What a mode was asked, in order, and the transcript that came of it."""

    mode: DiscoveryMode
    pool: ToolPool
    transcript: Transcript
    answers: tuple[Answer, ...]


some_names = st.sampled_from(
    [
        "get_weather",
        "weather_forecast",
        "send_message",
        "list_files",
        "update_workspace_file",
        "no_such_tool",
        "getWeather",
    ]
)
some_queries = st.one_of(
    some_names, st.sampled_from(["weather", "e", "(", "", "+e", "select:get_weather,send_message"])
)
broken = st.one_of(st.text(max_size=12), st.sampled_from(["{", "[]", "null", '{"query": 5}', '{"tool_names": "x"}']))


def arguments_for(way: Discovery, tool: str) -> st.SearchStrategy[str]:
    """Of a call of a meta-tool: what a sensible model would say, and what a broken one might."""
    if tool == way.search:
        return st.one_of(st.builds(lambda query: json.dumps({way.query: query}), some_queries), broken)
    if tool == way.load:
        lists = st.lists(some_names, max_size=3)
        return st.one_of(st.builds(lambda found: json.dumps({way.names: found}), lists), broken)
    return st.one_of(st.just("{}"), broken)


@st.composite
def conversations(draw: st.DrawFn, slug: str) -> Conversation:
    pool = draw(st.sampled_from([POOL, SMALLER, NOTHING_UPFRONT]))
    mode = made(slug, pool)
    transcript, answers = TASK, []
    for number in range(draw(st.integers(0, 6)) if mode.meta_tools else 0):
        tool = draw(st.sampled_from([tool.name for tool in mode.meta_tools]))
        call = ToolCall(f"id-{number}", tool, draw(arguments_for(way_of(mode), tool)))
        mode.offer(transcript)
        answer = mode.answer(call, transcript)
        answers.append(answer)
        said = ToolMessage(call.id, call.name, answer.content, answer.loaded, answer.is_error)
        transcript = (*transcript, AssistantMessage("", (call,)), said)
    return Conversation(mode, pool, transcript, tuple(answers))


@every_mode
@thorough
@given(st.data())
def test_in_any_conversation_what_is_in_view_and_what_is_hidden_are_the_pool(slug: str, data: st.DataObject) -> None:
    talk = data.draw(conversations(slug))
    offer = talk.mode.offer(talk.transcript)
    own = {tool.name for tool in (*talk.mode.meta_tools, *offer.aids)}
    in_view = [name for name in names(offer) if name not in own]
    hidden = [tool.name for tool in offer.deferred]
    assert sorted([*in_view, *hidden]) == sorted(talk.pool.by_name)
    assert all(tool == talk.pool.by_name[tool.name] for tool in offer.tools if tool.name not in own)
    assert len(set(names(offer))) == len(names(offer))


@every_mode
@thorough
@given(st.data())
def test_in_any_conversation_meta_tools_and_upfront_tools_stay_in_view(slug: str, data: st.DataObject) -> None:
    talk = data.draw(conversations(slug))
    in_view = names(talk.mode.offer(talk.transcript))
    assert {tool.name for tool in talk.mode.meta_tools} | set(talk.pool.upfront_names) <= set(in_view)


@every_mode
@thorough
@given(st.data())
def test_in_any_conversation_an_answer_loads_only_what_the_pool_holds_and_then_it_is_in_view(
    slug: str, data: st.DataObject
) -> None:
    talk = data.draw(conversations(slug))
    loaded = {name for answer in talk.answers for name in answer.loaded}
    assert loaded <= talk.pool.by_name.keys()
    assert loaded <= set(names(talk.mode.offer(talk.transcript)))
    assert all(answer.content for answer in talk.answers)


@every_mode
@thorough
@given(st.data())
def test_in_any_conversation_asking_again_changes_nothing(slug: str, data: st.DataObject) -> None:
    """An offer is a function of pool and transcript; Mastra's store, which outlives a run, holds the same by then."""
    talk = data.draw(conversations(slug))
    offer = talk.mode.offer(talk.transcript)
    assert talk.mode.offer(talk.transcript) == offer
    if slug not in REMEMBERS:
        assert made(slug, talk.pool).offer(talk.transcript) == offer


@every_mode
@thorough
@given(st.data())
def test_in_any_conversation_a_tool_of_the_offer_can_be_called_and_no_other_unless_hidden_ones_run(
    slug: str, data: st.DataObject
) -> None:
    talk = data.draw(conversations(slug))
    offer = talk.mode.offer(talk.transcript)
    for name in (*talk.pool.by_name, *own_tools(talk.mode), "no_such_tool"):
        verdict = judge(ToolCall("1", name, "{}"), offer, talk.mode.meta_tools, cut_off=False)
        hidden_runs = offer.runs_hidden and name in talk.pool.by_name
        callable_ = name in names(offer) or hidden_runs or name in {tool.name for tool in offer.aids}
        assert isinstance(verdict, Refused) is not callable_
        assert isinstance(verdict, ForMode) is any(name == tool.name for tool in talk.mode.meta_tools)


@every_mode
@thorough
@given(st.data())
def test_whatever_a_call_says_it_is_an_answer(slug: str, data: st.DataObject) -> None:
    mode = made(slug, POOL)
    for tool in mode.meta_tools:
        answer = mode.answer(ToolCall("1", tool.name, data.draw(st.text() | JSON.map(json.dumps))), TASK)
        assert answer.content
