"""Mastra's option to withhold a request's own tools, which here are those in view from the start (M-2)."""

import json

import pytest

from catalog.tools import ToolPool
from playground.modes.mastra import Mastra, MastraAutoLoad, MastraOptions
from playground.modes.protocol import Answer
from playground.transcript import ToolCall, ToolMessage, Transcript, UserMessage
from tests.playground.modes.conftest import WordEngine

TASK: Transcript = (UserMessage("Ask a person."),)
WITHHELD = MastraOptions(include_resolved_tools=True)
WITHHELD_IN_CONTEXT = MastraOptions(storage="context", include_resolved_tools=True)


def names(mode: Mastra, transcript: Transcript = TASK) -> list[str]:
    return [tool.name for tool in mode.offer(transcript).tools]


def load(mode: Mastra, name: str) -> Answer:
    return mode.answer(ToolCall("1", "load_tool", json.dumps({"toolName": name})), TASK)


@pytest.mark.parametrize("kind", [Mastra, MastraAutoLoad])
def test_only_the_meta_tools_are_in_view_at_first(pool: ToolPool, kind: type[Mastra]) -> None:
    mode = kind(pool, WordEngine(pool), WITHHELD)
    offer = mode.offer(TASK)
    assert pool.upfront and offer.tools == mode.meta_tools
    assert offer.deferred == pool.tools


def test_a_withheld_tool_is_loaded_and_stands_where_it_was_loaded(pool: ToolPool) -> None:
    mode = Mastra(pool, WordEngine(pool), WITHHELD)
    load(mode, "get_weather")
    answer = load(mode, "ask_human")
    assert json.loads(answer.content)["message"].endswith(
        "loaded successfully. It will be available on your next turn."
    )
    assert answer.loaded == ("ask_human",)
    assert names(mode) == ["search_tools", "load_tool", "get_weather", "ask_human"]


def test_what_the_messages_show_of_a_withheld_tool_loads_it(pool: ToolPool) -> None:
    mode = Mastra(pool, WordEngine(pool), WITHHELD_IN_CONTEXT)
    shown = ToolMessage("1", "load_tool", '{"success": true, "toolName": "ask_human"}')
    assert names(mode, (*TASK, shown)) == ["search_tools", "load_tool", "ask_human"]


def test_withheld_tools_are_listed_and_suggested_as_all_others(pool: ToolPool) -> None:
    options = MastraOptions(inject_catalog=True, include_resolved_tools=True)
    mode = Mastra(pool, WordEngine(pool), options)
    assert "- `ask_human`" in mode.offer(TASK).instructions
    assert "Did you mean: ask_human?" in load(mode, "human").content


def test_by_itself_a_tool_in_view_from_the_start_stays_there_and_is_not_listed(pool: ToolPool) -> None:
    mode = Mastra(pool, WordEngine(pool), MastraOptions(inject_catalog=True))
    assert names(mode)[2:] == list(pool.upfront_names)
    assert "`ask_human`" not in mode.offer(TASK).instructions
