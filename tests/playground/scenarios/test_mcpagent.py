"""mcpagent's walk-throughs: search, add, call; every name; what is there from the start; large outputs."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from catalog.tools import ToolSpec
from playground.agent.large_outputs.files import OutputFiles
from playground.agent.large_outputs.offloading import LargeOutputs, OffloadingTools, Thresholds
from playground.agent.scripted_model import Reply
from playground.agent.tool_runner import ToolResult
from playground.modes.large_output_tools import LARGE_OUTPUT_TOOLS
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools
from tests.playground.scenarios.playing import Played, calls, mode_of, play
from tests.playground.scenarios.tools import OFFICE

DISCOVERY = ("search_tools", "add_tool", "show_all_tools")
OFFLOADING = ("search_large_output", "read_large_output", "query_large_output")
UPFRONT = ("list_files", "human_feedback", "final_answer")
START = (*DISCOVERY, *OFFLOADING, *UPFRONT)
LAST = Reply("18 degrees.")
Scenario = Callable[..., Played]


def look(pattern: str) -> Reply:
    return calls(("search_tools", {"query": pattern}))


def add(*names: str) -> Reply:
    return calls(("add_tool", {"tool_names": [*names]}))


@pytest.fixture
def scenario(model_endpoint: ModelEndpoint, tmp_path: Path) -> Scenario:
    def played(*plan: Reply, tools: PlayedTools | None = None) -> Played:
        return play(model_endpoint, mode_of("mcpagent", OFFICE, tmp_path), *plan, LAST, tools=tools)

    return played


def test_the_weather_in_tokyo_in_four_turns(scenario: Scenario) -> None:
    """A search adds nothing; the tool that was added can be called in the turn after."""
    tools = PlayedTools()
    weather = calls(("get_weather", {"location": "Tokyo"}))
    played = scenario(look("weather"), add("get_weather"), weather, tools=tools)
    searched, added, called, last = played.turns
    assert searched.view == START == tuple(played.sent_tools(1))
    assert [tool["name"] for tool in searched.answer["tools"]] == ["get_weather", "weather_forecast"]
    assert searched.answer["found"] == 2 and searched.answer["message"].startswith("Found matching tools.")
    assert added.view == START and added.told == ("Added tools: get_weather",)
    assert called.view == last.view == (*START, "get_weather")
    assert tools.calls == [("get_weather", {"location": "Tokyo"})]
    assert all(turn.prefix_kept for turn in played.turns)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("database.*query|query.*database", ["query_database"]),
        ("(?i)SLACK|CHANNEL", ["send_message"]),
        ("get_.*", ["get_weather"]),
        ("file|folder", ["read_workspace_file", "list_files"]),
        ("workspace", ["read_workspace_file"]),
    ],
)
def test_a_pattern_finds_names_and_descriptions(scenario: Scenario, pattern: str, names: list[str]) -> None:
    assert [tool["name"] for tool in scenario(look(pattern)).turns[0].answer["tools"]] == names


@pytest.mark.parametrize(("typo", "meant"), [("wether", "get_weather"), ("send msg", "send_message")])
def test_where_no_pattern_matches_near_ones_are_found(scenario: Scenario, typo: str, meant: str) -> None:
    found = scenario(look(typo)).turns[0].answer
    assert meant in [tool["name"] for tool in found["tools"]] and found["found"] <= 5


def test_nothing_found_and_a_broken_pattern_are_answers(scenario: Scenario) -> None:
    nothing, broken, *_ = scenario(look("zzzz"), look("(weather")).turns
    assert nothing.answer == {"found": 0, "tools": [], "message": "No tools found matching the pattern"}
    assert broken.answer["error"].startswith("invalid regex pattern: missing )")
    assert (nothing.outcomes, broken.outcomes) == (("ok",), ("failed",))


def test_every_name_is_listed_without_loading_one(scenario: Scenario) -> None:
    shown, after = scenario(calls(("show_all_tools", {}))).turns
    assert shown.answer == {"total": 12, "tools": sorted([*DISCOVERY, *OFFICE.by_name])}
    assert after.view == shown.view


def test_pre_discovered_and_special_tools_run_without_a_search(scenario: Scenario) -> None:
    tools = PlayedTools()
    both = calls(("list_files", {"folder": "/"}), ("human_feedback", {"question": "This one?"}))
    played = scenario(both, tools=tools)
    assert played.turns[0].outcomes == ("ok", "ok")
    assert [name for name, _ in tools.calls] == ["list_files", "human_feedback"]


def test_several_tools_are_added_at_once_with_what_is_there_and_what_is_not(scenario: Scenario) -> None:
    added, after = scenario(add("create_issue", "list_files", "GetWeather", "fly_to_moon")).turns
    assert added.told[0].splitlines() == [
        "Added tools: create_issue, get_weather",
        "Already available: list_files",
        "Not found: fly_to_moon",
    ]
    assert after.view == (*START, "create_issue", "get_weather")


def test_a_large_output_leaves_the_prompt_and_is_read_on_from_its_file(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    orders = json.dumps({"rows": [{"order": number, "city": "Oslo"} for number in range(4_000)]})

    def answer(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        return outputs.answer(tool.name, arguments) if tool in LARGE_OUTPUT_TOOLS else ToolResult(orders)

    outputs = LargeOutputs(OutputFiles(tmp_path / "outputs"), Thresholds(offload=10_000), str)
    tools = OffloadingTools(PlayedTools(answer), outputs)
    mode = mode_of("mcpagent", OFFICE, tmp_path)
    ask = calls(("query_database", {"sql": "select * from orders"}))
    first = play(model_endpoint, mode, add("query_database"), ask, LAST, tools=tools)
    told = first.turns[1].told[0]
    assert len(told) < 10_000 < len(orders)
    name = re.search(r"tool_\S+\.json", told)
    assert name is not None
    sent = next(message for message in first.asked[2]["messages"] if message.get("tool_call_id") and "tool_2" in told)
    assert orders not in str(sent)
    look_further = calls(
        ("search_large_output", {"filename": name[0], "operation": "query", "query": ".rows | length"}),
        ("read_large_output", {"filename": name[0], "start": 1, "end": 9}),
        ("query_large_output", {"filename": name[0], "query": ".rows[3999].order"}),
    )
    second = play(model_endpoint, mode, look_further, LAST, tools=tools)
    assert second.turns[0].outcomes == ("ok", "ok", "ok")
    length, beginning, last = second.turns[0].told
    assert "4000" in length and '{"rows": ' in beginning and "3999" in last
