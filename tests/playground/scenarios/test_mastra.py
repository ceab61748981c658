"""Mastra's walk-throughs: search, then load; autoLoad in one step; and the two places where what is loaded is kept."""

from dataclasses import replace
from pathlib import Path

from playground.agent.scripted_model import Reply
from playground.modes.loaded_store import LoadedStore
from playground.modes.protocol import Session
from playground.transcript import AssistantMessage, ToolCall, ToolMessage, Transcript, UserMessage
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools
from tests.playground.scenarios.playing import calls, mode_of, play
from tests.playground.scenarios.tools import INTEGRATIONS

META = ("search_tools", "load_tool")
OWN = ("helpdesk",)
LAST = Reply("It is filed.")
SEARCH = calls(("search_tools", {"query": "github issue"}))
LOAD = calls(("load_tool", {"toolName": "createIssue"}))
FILE_IT = calls(("createIssue", {"repo": "pegboard", "title": "A defect"}))


def test_two_steps_from_keywords_to_a_loaded_tool(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    tools = PlayedTools()
    played = play(model_endpoint, mode_of("mastra", INTEGRATIONS, tmp_path), SEARCH, LOAD, FILE_IT, LAST, tools=tools)
    searched, loaded, called, last = played.turns
    assert searched.view == (*META, *OWN) == tuple(played.sent_tools(1))
    found = searched.answer
    assert found["results"][0]["name"] == "createIssue" and found["results"][0]["score"] > 0
    assert found["message"].startswith(f"Found {len(found['results'])} tool(s). Use load_tool")
    assert searched.loaded == () and loaded.view == searched.view
    assert loaded.answer["success"] is True and loaded.loaded == ("createIssue",)
    assert called.view == last.view == (*META, *OWN, "createIssue")
    assert tools.calls == [("createIssue", {"repo": "pegboard", "title": "A defect"})]


def test_several_names_are_loaded_at_once_and_unknown_ones_told(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    load = calls(("load_tool", {"toolNames": ["listPRs", "mergePR", "approvePR"]}))
    played = play(model_endpoint, mode_of("mastra", INTEGRATIONS, tmp_path), load, load, LAST)
    assert played.turns[0].loaded == ("listPRs", "mergePR")
    assert played.turns[0].answer["notFound"] == ["approvePR"]
    assert played.turns[1].answer["alreadyLoaded"] == ["listPRs", "mergePR"]
    assert played.turns[2].view == (*META, *OWN, "listPRs", "mergePR")


def test_a_tool_that_was_found_and_not_loaded_does_not_run(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    tools = PlayedTools()
    played = play(model_endpoint, mode_of("mastra", INTEGRATIONS, tmp_path), SEARCH, FILE_IT, LAST, tools=tools)
    assert played.turns[1].outcomes == ("refused",)
    assert tools.calls == []


def test_autoload_takes_one_step_less_and_appends(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    mode = mode_of("mastra-autoload", INTEGRATIONS, tmp_path, top_k=3)
    channel = calls(("search_tools", {"query": "slack channel"}))
    played = play(model_endpoint, mode, SEARCH, channel, FILE_IT, LAST, tools=(tools := PlayedTools()))
    first, second, third, _ = played.turns
    assert first.view == ("search_tools", *OWN)
    assert "load_tool" not in played.sent_tools(1)
    assert 1 <= len(first.loaded) <= 3 and first.loaded[0] == "createIssue"
    assert first.answer["message"].startswith(f"Found and loaded {len(first.loaded)} tool(s): createIssue")
    assert second.view == (*first.view, *first.loaded)
    assert third.view[: len(second.view)] == second.view and "createChannel" in third.view
    assert all(turn.prefix_kept for turn in played.turns)
    assert [name for name, _ in tools.calls] == ["createIssue"]


def test_in_memory_a_thread_keeps_what_it_loaded_and_others_see_nothing(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    """M-26: by thread, in the process; lost with it."""
    store = LoadedStore()

    def view(thread: str, kept: LoadedStore) -> tuple[str, ...]:
        session = Session(thread=thread, store=kept)
        return play(model_endpoint, mode_of("mastra", INTEGRATIONS, tmp_path, session), LAST).turns[0].view

    ada = Session(thread="ada", store=store)
    play(model_endpoint, mode_of("mastra", INTEGRATIONS, tmp_path, ada), SEARCH, LOAD, LAST)
    assert view("ada", store) == (*META, *OWN, "createIssue")
    assert view("bob", store) == (*META, *OWN)
    assert view("ada", LoadedStore()) == (*META, *OWN)
    store.clear("ada")
    assert view("ada", store) == (*META, *OWN)


def test_context_what_is_loaded_is_read_off_the_messages_and_goes_with_them(
    model_endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    """M-28: another process that is given the messages has the tool; once they are trimmed it is gone."""

    def view(history: Transcript) -> tuple[str, ...]:
        mode = mode_of("mastra", INTEGRATIONS, tmp_path, Session(thread="ada"), storage="context")
        offer = mode.offer((*history, UserMessage("Go on")))
        return tuple(tool.name for tool in offer.tools)

    mode = mode_of("mastra", INTEGRATIONS, tmp_path, Session(thread="ada"), storage="context")
    played = play(model_endpoint, mode, LOAD, FILE_IT, LAST)
    assert played.turns[1].view == (*META, *OWN, "createIssue")
    call = ToolCall("call-0", "load_tool", '{"toolName": "createIssue"}')
    said = ToolMessage(call.id, call.name, played.turns[0].told[0], ("createIssue",))
    shown: Transcript = (UserMessage("File it"), AssistantMessage("", (call,)), said)
    assert view(shown) == (*META, *OWN, "createIssue")
    assert view(shown[:1]) == (*META, *OWN)
    assert view((*shown[:2], replace(said, content='{"success": false}'))) == (*META, *OWN)


def test_context_a_search_alone_loads_what_it_names(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    """M-29."""
    mode = mode_of("mastra", INTEGRATIONS, tmp_path, Session(thread="ada"), storage="context")
    played = play(model_endpoint, mode, SEARCH, FILE_IT, LAST, tools=(tools := PlayedTools()))
    assert "createIssue" in played.turns[1].view
    assert len(tools.calls) == 1
