"""sanqian's walk-through: papers are searched for and a summary saved, with two searches and no list of all tools."""

from pathlib import Path

from playground.agent.scripted_model import Reply
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools
from tests.playground.scenarios.playing import calls, mode_of, play
from tests.playground.scenarios.tools import DESK

SEARCH = "search_capability"
LAST = Reply("The summary is saved.")


def look(query: str) -> Reply:
    return calls((SEARCH, {"query": query}))


def test_papers_and_a_summary_in_five_turns(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    tools = PlayedTools()
    papers = {"query": "tool-augmented LLMs 2025"}
    summary = {"path": "outputs/summary.md", "content": "Three papers."}
    played = play(
        model_endpoint,
        mode_of("sanqian", DESK, tmp_path),
        look("web search"),
        calls(("web_search", papers)),
        look("save file"),
        calls(("write_file", summary)),
        LAST,
        tools=tools,
    )
    first, second, third, fourth, fifth = played.turns
    assert first.view == (SEARCH,) == tuple(played.sent_tools(1))
    assert first.answer["results"][0]["name"] == "web_search" == first.loaded[0]
    assert first.answer["results"][0]["score"] > 0
    assert second.view == (SEARCH, *first.loaded)
    assert third.view == second.view
    assert third.loaded[0] == "write_file"
    assert fourth.view == fifth.view == (*third.view, *third.loaded)
    assert tools.calls == [("web_search", papers), ("write_file", summary)]
    assert all(turn.prefix_kept for turn in played.turns)
    assert max(len(turn.view) for turn in played.turns) < len(DESK) + 1


def test_what_is_bound_already_is_not_found_again(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    """S-10, the fourth filter."""
    played = play(model_endpoint, mode_of("sanqian", DESK, tmp_path), look("web search"), look("web search"), LAST)
    again = [result["name"] for result in played.turns[1].answer["results"]]
    assert "web_search" in played.turns[0].loaded and "web_search" not in again


def test_a_tool_runs_as_soon_as_it_is_named(model_endpoint: ModelEndpoint, tmp_path: Path) -> None:
    """S-11: found or not, whatever is called is looked up in every source; a name that no source has is refused."""
    tools = PlayedTools()
    at_once = calls(
        (SEARCH, {"query": "open a pull request"}),
        ("mcp_github_create_pull_request", {"title": "Faster"}),
        ("sdk_notes_append", {"line": "Done"}),
        ("mcp_gitlab_create_merge_request", {"title": "Faster"}),
    )
    played = play(model_endpoint, mode_of("sanqian", DESK, tmp_path), at_once, LAST, tools=tools)
    assert sorted(played.turns[0].outcomes) == ["ok", "ok", "ok", "refused"]
    assert [name for name, _ in tools.calls] == ["mcp_github_create_pull_request", "sdk_notes_append"]
    assert "mcp_github_create_pull_request" in played.turns[1].view
