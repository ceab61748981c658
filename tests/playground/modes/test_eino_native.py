"""Eino's native mode: which of its two paths runs, and what a model is given on each."""

import json

import pytest

from catalog.tools import ToolPool
from playground.modes.eino import DEFAULTS, TOOL_SEARCH, EinoOptions
from playground.modes.eino_native import EinoNative, EinoNativeClient
from playground.modes.protocol import Session
from playground.transcript import (
    AssistantMessage,
    ProviderSearch,
    ToolCall,
    ToolMessage,
    Transcript,
    UserMessage,
    loaded_names,
)
from tests.playground.modes.conftest import WordEngine

TASK: Transcript = (UserMessage("What is the weather?"),)
LOOK = ToolCall("id-1", "tool_search", '{"query": "weather"}')


def native(pool: ToolPool, most_handed: int) -> EinoNative:
    return EinoNative(pool, WordEngine(pool), DEFAULTS, Session(most_handed=most_handed))


def test_a_provider_that_searches_is_handed_every_hidden_tool_and_no_search_tool(pool: ToolPool) -> None:
    offer = native(pool, most_handed=100).offer(TASK)
    assert (offer.path, offer.tools, offer.handed) == ("provider", pool.upfront, pool.deferred)
    assert TOOL_SEARCH not in offer.tools


@pytest.mark.parametrize("most", [0, 3], ids=["no search", "too many tools"])
def test_where_the_provider_cannot_the_model_is_given_tool_search(pool: ToolPool, most: int) -> None:
    offer = native(pool, most).offer(TASK)
    assert (offer.path, offer.handed) == ("client", ())
    assert offer == EinoNativeClient(pool, WordEngine(pool)).offer(TASK)
    assert TOOL_SEARCH in offer.tools


def test_a_catalog_without_hidden_tools_hands_none_over(pool: ToolPool) -> None:
    in_view = ToolPool(pool.upfront, pool.upfront_names)
    assert native(in_view, most_handed=100).offer(TASK).handed == ()


def test_what_the_provider_loaded_is_read_off_the_answer_and_changes_no_offer(pool: ToolPool) -> None:
    search = ProviderSearch("s-1", "weather", ("get_weather",))
    after: Transcript = (*TASK, AssistantMessage("", (ToolCall("id-1", "get_weather"),), (search,)))
    mode = native(pool, most_handed=100)
    assert loaded_names(after) == ("get_weather",)
    assert mode.offer(after) == mode.offer(TASK)


def test_tool_search_answers_with_whole_definitions_and_loads_them(pool: ToolPool) -> None:
    answer = EinoNativeClient(pool, WordEngine(pool)).answer(LOOK, TASK)
    told = json.loads(answer.content)
    found = [pool.by_name["get_weather"], pool.by_name["weather_forecast"]]
    assert told == {"type": "tool_search_result", "tools": [tool.as_function()["function"] for tool in found]}
    assert answer.loaded == ("get_weather", "weather_forecast")


def test_what_it_loaded_is_in_view_whatever_its_text_says(pool: ToolPool) -> None:
    mode = EinoNativeClient(pool, WordEngine(pool))
    before = mode.offer(TASK).tools
    shown = ToolMessage("id-1", "tool_search", '{"matches": ["send_message"]}', loaded=("get_weather",))
    assert mode.offer((*TASK, AssistantMessage("", (LOOK,)), shown)).tools == (*before, pool.by_name["get_weather"])


def test_nothing_found_is_an_answer_without_tools(pool: ToolPool) -> None:
    nothing = ToolCall("id-1", "tool_search", '{"query": "zebra"}')
    answer = EinoNativeClient(pool, WordEngine(pool)).answer(nothing, TASK)
    assert (json.loads(answer.content)["tools"], answer.loaded) == ([], ())


def test_a_hidden_tool_is_run_on_the_providers_path_and_refused_on_the_other(pool: ToolPool) -> None:
    assert native(pool, most_handed=100).offer(TASK).runs_hidden
    assert not native(pool, most_handed=0).offer(TASK).runs_hidden
    as_implemented = EinoNativeClient(pool, WordEngine(pool), EinoOptions("implemented"))
    assert as_implemented.offer(TASK).runs_hidden
