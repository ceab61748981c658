"""The estimate of what tools and messages cost in a prompt."""

import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from catalog import prompt_size
from catalog.prompt_size import SHIPPED_FILE, estimate_messages, estimate_tool, estimate_tools
from catalog.tools import ToolSpec

TOOL = ToolSpec("get_weather", "Weather now.", {"type": "object", "properties": {"city": {"type": "string"}}})


def test_litellm_ships_the_encoding() -> None:
    litellm = find_spec("litellm")
    assert litellm and litellm.submodule_search_locations
    assert Path(litellm.submodule_search_locations[0], "litellm_core_utils", "tokenizers", SHIPPED_FILE).is_file()


def test_a_tool_costs_what_the_model_reads_of_it() -> None:
    assert estimate_tool(TOOL) == 32
    assert estimate_tools([TOOL, TOOL]) == 64


def test_what_is_searched_only_costs_nothing() -> None:
    searched = ToolSpec(TOOL.name, TOOL.description, TOOL.parameters, aliases=("climate",), search_text="rain " * 50)
    assert estimate_tool(searched) == estimate_tool(TOOL)


def test_a_tool_that_is_worded_anew_is_estimated_anew() -> None:
    assert estimate_tool(replace(TOOL, description="Weather now, and how it will be.")) > estimate_tool(TOOL)


def test_a_tool_is_estimated_once_for_as_long_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = replace(TOOL, name="get_climate")
    tokens = estimate_tool(tool)
    monkeypatch.setattr(prompt_size, "_estimate_json", None)
    assert estimate_tool(tool) == tokens
    with pytest.raises(TypeError):
        estimate_tool(replace(tool))


def test_nothing_is_kept_of_tools_that_are_gone() -> None:
    kept = [replace(TOOL, name=f"tool-{number}") for number in range(50)]
    estimate_tools(kept)
    ours = {id(tool) for tool in kept}
    assert ours <= prompt_size._told.keys()
    kept.clear()
    assert ours.isdisjoint(prompt_size._told)


def test_messages_cost_too() -> None:
    assert estimate_messages([{"role": "user", "content": "Hello there"}]) == 10


@pytest.mark.parametrize("text", ["", "天气" * 50, "a\ud800b", "<|endoftext|>", "=" * 100_000])
def test_any_text_can_be_estimated(text: str) -> None:
    assert estimate_tool(ToolSpec("t", text)) > 0


def test_without_the_encoding_four_characters_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_size, "_encoding", lambda: None)
    assert estimate_messages([{"content": "estimated without an encoding"}]) == 11


def test_many_tools_are_estimated_for_less_the_second_time() -> None:
    tools = [ToolSpec(f"tool_{number}", f"Does thing {number}. " * 20, TOOL.parameters) for number in range(2_000)]
    seconds = []
    for _ in range(2):
        started = time.process_time()
        estimate_tools(tools)
        seconds.append(time.process_time() - started)
    assert seconds[1] < seconds[0]
