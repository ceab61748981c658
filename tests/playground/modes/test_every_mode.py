"""What holds for every discovery mode."""

import json
from pathlib import Path

import pytest

import playground.modes
from catalog.exposure import RESERVED_NAMES
from catalog.search import ENGINES
from catalog.search.settings import read_settings
from catalog.tools import ToolPool
from playground.agent.scripted.discovery import Discovery, discovery_among
from playground.modes import MODES
from playground.modes.protocol import DiscoveryMode, Offer, Session
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript, UserMessage
from tests.playground.modes.conftest import WordEngine

TASK: Transcript = (UserMessage("What is the weather?"),)
NOT_MODES = {
    "__init__",
    "protocol",
    "policed",
    "loaded_store",
    "go_json",
    "zod",
    "large_output_tools",
    "mcpagent_prompt",
    "searching",
}


CONTROLS = {"everything", "none"}
"""Modes without discovery."""
REORDERS = {"eino-regex"}
"""Modes in which a tool that is found later may stand before one found earlier, as in their system."""

ASKS_THE_PROVIDER = {"eino-native"}

every_mode = pytest.mark.parametrize("slug", MODES)
every_search = pytest.mark.parametrize("slug", [slug for slug in MODES if slug not in CONTROLS])


def made(slug: str, pool: ToolPool) -> DiscoveryMode:
    return MODES[slug](pool, WordEngine(pool))


def names(offer: Offer) -> list[str]:
    return [tool.name for tool in offer.tools]


def own_tools(mode: DiscoveryMode) -> set[str]:
    """The tools that are no tools of the catalog."""
    return {tool.name for tool in (*mode.meta_tools, *mode.offer(TASK).aids)}


def way_of(mode: DiscoveryMode) -> Discovery:
    return discovery_among({tool.name: tool.as_function()["function"] for tool in mode.meta_tools})


def found(mode: DiscoveryMode, transcript: Transcript, *wanted: str) -> Transcript:
    """The transcript after the model brought these tools into view, one after the other, as the mode has it."""
    way = way_of(mode)
    for number, name in enumerate(wanted):
        tool, arguments = (way.load, {way.names: [name]}) if way.load else (way.search, {way.query: name})
        call = ToolCall(f"id-{number}", tool, json.dumps(arguments))
        answer = mode.answer(call, transcript)
        assert name in answer.loaded
        said = ToolMessage(call.id, call.name, answer.content, answer.loaded, answer.is_error)
        transcript = (*transcript, AssistantMessage("", (call,)), said)
    return transcript


def test_the_registry_holds_every_mode_of_the_folder() -> None:
    files = {path.stem for path in Path(playground.modes.__path__[0]).glob("*.py")} - NOT_MODES
    assert {mode.__module__.rpartition(".")[2] for mode in MODES.values()} == files
    assert {slug: mode.slug for slug, mode in MODES.items()} == {slug: slug for slug in MODES}


@every_mode
def test_it_introduces_itself(slug: str) -> None:
    mode = MODES[slug]
    assert mode.title and mode.summary.endswith(".") and mode.source
    assert mode.default_engine in ENGINES


@every_mode
def test_its_options_have_defaults_that_it_takes(slug: str, pool: ToolPool) -> None:
    options = read_settings(MODES[slug].Options, {})
    mode = MODES[slug](pool, WordEngine(pool), options)
    assert mode.offer(TASK) == made(slug, pool).offer(TASK)


@every_search
def test_meta_tools_and_upfront_tools_are_in_view_from_the_start(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    first = names(mode.offer(TASK))
    assert sorted(first) == sorted([*own_tools(mode), "ask_human", "list_files"])
    assert first.index("ask_human") < first.index("list_files")


def test_the_controls_show_all_or_what_is_upfront(pool: ToolPool) -> None:
    assert set(names(made("everything", pool).offer(TASK))) == set(pool.by_name)
    assert names(made("none", pool).offer(TASK)) == ["ask_human", "list_files"]


@every_mode
def test_every_tool_is_either_in_view_or_deferred(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    transcript = TASK if slug in CONTROLS else found(mode, TASK, "get_weather")
    offer = mode.offer(transcript)
    in_view = set(names(offer)) - own_tools(mode)
    assert in_view | {tool.name for tool in offer.deferred} == set(pool.by_name)
    assert not in_view & {tool.name for tool in offer.deferred}


@every_mode
def test_a_provider_that_searches_is_handed_tools_by_the_mode_that_asks_it_and_matters_to_no_other(
    slug: str, pool: ToolPool
) -> None:
    options = read_settings(MODES[slug].Options, {})
    offer = MODES[slug](pool, WordEngine(pool), options, Session(most_handed=len(pool))).offer(TASK)
    if slug in ASKS_THE_PROVIDER:
        assert offer.path == "provider"
        assert {*names(offer), *(tool.name for tool in offer.handed)} == set(pool.by_name)
    else:
        assert offer == made(slug, pool).offer(TASK)
        assert offer.handed == ()


@every_search
def test_what_is_found_comes_into_view_and_what_was_there_stays(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    before = names(mode.offer(TASK))
    after = names(mode.offer(found(mode, TASK, "send_message", "get_weather")))
    assert sorted(after) == sorted([*before, "send_message", "get_weather"])
    if slug not in REORDERS:
        assert after == [*before, "send_message", "get_weather"]


@every_search
def test_a_tool_that_left_the_catalog_is_passed_over(slug: str, pool: ToolPool) -> None:
    transcript = found(made(slug, pool), TASK, "send_message")
    less = ToolPool(tuple(tool for tool in pool if tool.name != "send_message"), pool.upfront_names)
    assert "send_message" not in names(made(slug, less).offer(transcript))


@every_search
def test_searching_for_an_upfront_tool_brings_it_in_no_second_time(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    call = ToolCall("1", way_of(mode).search, json.dumps({way_of(mode).query: "list_files"}))
    answer = mode.answer(call, TASK)
    said = ToolMessage(call.id, call.name, answer.content, answer.loaded)
    assert names(mode.offer((*TASK, AssistantMessage("", (call,)), said))).count("list_files") == 1


@every_search
def test_the_same_question_gets_the_same_answer(slug: str, pool: ToolPool) -> None:
    call = ToolCall("id-1", way_of(made(slug, pool)).search, json.dumps({way_of(made(slug, pool)).query: "weather"}))
    assert made(slug, pool).answer(call, TASK) == made(slug, pool).answer(call, TASK)
    assert made(slug, pool).offer(TASK) == made(slug, pool).offer(TASK)


@every_mode
@pytest.mark.parametrize(
    "arguments", ["", "{}", "[]", "null", '{"query": 5}', '{"query": ""}', '{"query"', "{{", "\ud800", "[" * 9_000]
)
def test_a_models_mistake_is_an_answer(slug: str, pool: ToolPool, arguments: str) -> None:
    mode = made(slug, pool)
    for tool in mode.meta_tools:
        answer = mode.answer(ToolCall("id-1", tool.name, arguments), TASK)
        assert answer.content
        assert answer.loaded == ()


def test_no_tool_of_a_catalog_can_be_named_like_a_meta_tool() -> None:
    nothing = ToolPool(())
    modes = [kind(nothing, WordEngine(nothing)) for kind in MODES.values()]
    metas = {tool.name for mode in modes for tool in (*mode.meta_tools, *mode.offer(TASK).aids)}
    assert metas == RESERVED_NAMES


@every_mode
def test_meta_tools_describe_their_parameters(slug: str) -> None:
    for tool in MODES[slug].meta_tools:
        assert tool.description
        for parameter in tool.parameters["properties"].values():
            assert parameter["description"]


@every_search
def test_the_scripted_model_knows_how_to_use_it(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    assert way_of(mode).meta_names == own_tools(mode)


@every_search
def test_the_instructions_do_not_change_during_a_run(slug: str, pool: ToolPool) -> None:
    mode = made(slug, pool)
    assert mode.offer(TASK).instructions == mode.offer(found(mode, TASK, "get_weather")).instructions != ""
