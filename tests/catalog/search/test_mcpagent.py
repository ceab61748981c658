"""The mcpagent document's search: a pattern in catalog order, and a fuzzy fallback where it matches nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from catalog.search.engine import Corpus
from catalog.search.mcpagent import McpagentPattern, McpagentSettings
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec

NOWHERE = Path("/nonexistent")

TOOLS = (
    ToolSpec("get_weather", "Current conditions for a city", server="weather"),
    ToolSpec("weather_forecast", "Seven day outlook", server="weather"),
    ToolSpec("send_message", "Post to a channel", server="chat"),
    ToolSpec("send_email", "Deliver a letter", server="mail"),
    ToolSpec("create_issue", "Open a ticket: SLACK is told", server="tracker"),
    ToolSpec("getLargeFile", "Read bytes", server="files"),
)


def search(query: str, *tools: ToolSpec, limit: int = 100) -> Ranking:
    return McpagentPattern(Corpus(tools or TOOLS, NOWHERE)).search(query, limit)


def names(ranking: Ranking) -> list[str]:
    return [hit.tool.name for hit in ranking.hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("weather", ["get_weather", "weather_forecast"]),
        ("WEATHER", ["get_weather", "weather_forecast"]),
        ("(?i)slack", ["create_issue"]),
        ("(?-i)slack|outlook", ["weather_forecast"]),
        ("get_.*", ["get_weather"]),
        ("message|email", ["send_message", "send_email"]),
        ("^send", ["send_message", "send_email"]),
        ("get_weather|", [tool.name for tool in TOOLS]),
    ],
)
def test_a_pattern_finds_names_and_descriptions_in_catalog_order(query: str, expected: list[str]) -> None:
    """P-2, P-4."""
    ranking = search(query)
    assert names(ranking) == expected
    assert (ranking.scored, ranking.notes) == (False, ())


def test_name_and_description_are_matched_each_alone() -> None:
    """P-3."""
    assert search("send.*channel").notes


def test_a_hit_quotes_what_matched() -> None:
    (hit,) = search("conditions|get.wea").hits
    assert hit.score == 1.0
    assert [part.reason for part in hit.explanation.parts] == [
        "the pattern matches “get_wea” in the name",
        "the pattern matches “conditions” in the description",
    ]


def test_a_caller_who_wants_fewer_sees_the_rest_as_cut() -> None:
    ranking = search(".", limit=2)
    assert names(ranking) == ["get_weather", "weather_forecast"]
    assert ranking.matched == len(TOOLS)
    assert ranking.cuts[0].by == "top-k 2"


@pytest.mark.parametrize("query", ["(", "[a-", "*", r"\1", r"\C", "(?=x)", "x{1001}", "\ud800", "(" * 5_000])
def test_a_bad_pattern_is_a_problem_in_words(query: str) -> None:
    ranking = search(query)
    assert ranking.problem.startswith("invalid regex pattern: ")
    assert ranking.hits == ()


@pytest.mark.parametrize(
    ("query", "stage", "first"),
    [
        ("get weather", "the whole query as a substring", "get_weather"),
        ("weather forecast", "the whole query as a substring", "weather_forecast"),
        ("send msg", "the words of the query", "send_message"),
        ("please send messages", "the words of the query", "send_message"),
        ("file large", "the words of the query", "getLargeFile"),
        ("wether", "the likeness of words", "get_weather"),
        ("emial", "the likeness of words", "send_email"),
        ("sned", "the likeness of words", "send_message"),
    ],
)
def test_where_nothing_matches_the_first_stage_that_finds_something_answers(query: str, stage: str, first: str) -> None:
    """P-8: the document's examples and their like."""
    ranking = search(query)
    assert names(ranking)[0] == first
    assert ranking.notes == (f"No match for the pattern; fuzzy fallback by {stage}; the formula is Pegboard's own",)
    assert ranking.scored


@pytest.mark.parametrize("query", ["zzqqxx", "^$", r"\d", "{}", "xq", "kubernetes"])
def test_nonsense_finds_nothing(query: str) -> None:
    ranking = search(query)
    assert names(ranking) == []
    assert ranking.notes == ("No match for the pattern, nor anything near it",)


def test_the_fallback_returns_five_by_score() -> None:
    """P-8."""
    many = tuple(ToolSpec(f"send_{number}_letters_today", "Mail") for number in range(20))
    ranking = search("send msg", *many, TOOLS[2])
    assert names(ranking)[0] == "send_message"
    assert len(ranking.hits) == 5
    assert ranking.matched == 21
    assert ranking.cuts[0].by == "fuzzy limit 5"


def test_of_like_matches_the_shortest_name_comes_first() -> None:
    ranking = search("wether", ToolSpec("get_weather_of_last_year"), ToolSpec("get_weather"))
    assert names(ranking) == ["get_weather", "get_weather_of_last_year"]


RECORDED = ("toy12", "multi60", "odd50")


def recorded(shared: Path, catalog: str) -> tuple[tuple[ToolSpec, ...], list[dict[str, Any]]]:
    told = json.loads((shared / "vectors" / f"mcpagent_doc__{catalog}.json").read_text())
    tools = tuple(
        ToolSpec(tool["name"], tool["description"], tool["parameters"], tool["server"]) for tool in told["catalog"]
    )
    return tools, [case for case in told["cases"] if case.get("query")]


@pytest.mark.parametrize("catalog", RECORDED)
def test_patterns_find_what_the_original_found(shared: Path, catalog: str) -> None:
    tools, cases = recorded(shared, catalog)
    engine = McpagentPattern(Corpus(tools, NOWHERE))
    for case in cases:
        ranking, expected = engine.search(case["query"], len(tools)), case["expected"]
        pattern_found = [] if ranking.scored else names(ranking)
        assert pattern_found == expected["matches"], case["query"]
        assert bool(ranking.problem) == expected["output"].startswith("Error"), case["query"]


def test_as_implemented_nothing_comes_after_a_pattern_without_a_match() -> None:
    engine = McpagentPattern(Corpus(TOOLS, NOWHERE), McpagentSettings(fidelity="implemented"))
    assert engine.search("wether", 5).hits == ()
    assert McpagentPattern(Corpus(TOOLS, NOWHERE)).search("wether", 5).hits
