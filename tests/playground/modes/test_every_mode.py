"""What holds for every discovery mode."""

from pathlib import Path

import pytest

import playground.modes
from catalog.search import ENGINES
from catalog.tools import ToolPool
from playground.agent.scripted.discovery import discovery_among
from playground.modes import MODES
from playground.modes.protocol import DiscoveryMode
from playground.transcript import ToolCall, ToolMessage, Transcript, UserMessage
from tests.playground.modes.conftest import WordEngine

TASK: Transcript = (UserMessage("What is the weather?"),)
NOT_MODES = {"__init__", "protocol"}


@pytest.fixture(params=MODES.values(), ids=list(MODES))
def mode(request: pytest.FixtureRequest, pool: ToolPool, engine: WordEngine) -> DiscoveryMode:
    made: DiscoveryMode = request.param(pool, engine)
    return made


def load(*names: str) -> Transcript:
    return (*TASK, ToolMessage("id-1", "add", "done", loaded=names))


def test_the_registry_holds_every_mode_of_the_folder() -> None:
    files = {path.stem for path in Path(playground.modes.__path__[0]).glob("*.py")} - NOT_MODES
    assert {mode.__module__.rpartition(".")[2] for mode in MODES.values()} == files
    assert {slug: mode.slug for slug, mode in MODES.items()} == {slug: slug for slug in MODES}


def test_it_introduces_itself(mode: DiscoveryMode) -> None:
    assert mode.title and mode.summary.endswith(".") and mode.source
    assert mode.default_engine in ENGINES


def test_meta_tools_come_first_then_upfront_tools_in_their_order(mode: DiscoveryMode) -> None:
    names = [tool.name for tool in mode.offer(TASK).tools]
    assert names == [*(tool.name for tool in mode.meta_tools), "ask_human", "list_files"]


def test_every_tool_is_either_in_view_or_deferred(mode: DiscoveryMode, pool: ToolPool) -> None:
    offer = mode.offer(load("get_weather"))
    in_view = {tool.name for tool in offer.tools} - {tool.name for tool in mode.meta_tools}
    assert in_view | {tool.name for tool in offer.deferred} == set(pool.by_name)
    assert not in_view & {tool.name for tool in offer.deferred}


def test_loaded_tools_are_appended_in_the_order_found(mode: DiscoveryMode) -> None:
    before = mode.offer(TASK).tools
    after = mode.offer(load("send_message", "get_weather")).tools
    assert after[: len(before)] == before
    assert [tool.name for tool in after[len(before) :]] == ["send_message", "get_weather"]


def test_a_loaded_tool_that_left_the_catalog_is_passed_over(mode: DiscoveryMode) -> None:
    assert mode.offer(load("gone_since")).tools == mode.offer(TASK).tools


def test_loading_an_upfront_tool_changes_nothing(mode: DiscoveryMode) -> None:
    assert mode.offer(load("ask_human")).tools == mode.offer(TASK).tools


def test_the_same_question_gets_the_same_answer(mode: DiscoveryMode) -> None:
    call = ToolCall("id-1", mode.meta_tools[0].name, '{"query": "weather"}')
    assert mode.answer(call, TASK) == mode.answer(call, TASK)
    assert mode.offer(TASK) == mode.offer(TASK)


@pytest.mark.parametrize(
    "arguments", ["", "{}", "[]", "null", '{"query": 5}', '{"query": ""}', '{"query"', "{{", "\ud800"]
)
def test_a_models_mistake_is_an_answer(mode: DiscoveryMode, arguments: str) -> None:
    for tool in mode.meta_tools:
        answer = mode.answer(ToolCall("id-1", tool.name, arguments), TASK)
        assert answer.content
        assert answer.loaded == ()


def test_meta_tools_describe_their_parameters(mode: DiscoveryMode) -> None:
    for tool in mode.offer(TASK).tools[: len(mode.meta_tools)]:
        assert tool.description
        for parameter in tool.parameters["properties"].values():
            assert parameter["description"]


def test_the_scripted_model_knows_how_to_use_it(mode: DiscoveryMode) -> None:
    meta_names = {tool.name for tool in mode.meta_tools}
    assert discovery_among(meta_names).meta_names == meta_names


def test_the_instructions_do_not_change_during_a_run(mode: DiscoveryMode) -> None:
    assert mode.offer(TASK).instructions == mode.offer(load("get_weather")).instructions != ""
