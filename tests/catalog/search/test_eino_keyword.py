"""Eino's keywords: tiers by the best place where a keyword stands, required keywords, selection by name."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from catalog.search.eino_keyword import EinoKeyword, name_parts
from catalog.search.engine import Corpus
from catalog.search.go_text import go_lower, go_words
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.tools import ToolSpec
from tests.catalog.search.random_catalogs import catalogs, phrases

TOOLS = (
    ToolSpec("weather_forecast", "Seven day outlook"),
    ToolSpec("get_weather", "Current conditions for a city"),
    ToolSpec("mcp__slack__send_message", "Post to a channel"),
    ToolSpec("sendEmail", "Deliver a letter, or tell Slack"),
    ToolSpec("k8s.pods", "İstanbul and the ΟΔΟΣ"),
)


def search(query: str, *tools: ToolSpec, limit: int = 5, servers: frozenset[str] = frozenset()) -> Ranking:
    return EinoKeyword(Corpus(tools or TOOLS, Path("/nonexistent"))).search(query, limit, servers)


def scores(ranking: Ranking) -> list[tuple[str, float]]:
    return [(hit.tool.name, hit.score) for hit in ranking.hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("forecast", [("weather_forecast", 10)]),
        ("fore", [("weather_forecast", 5)]),
        ("get_weather", [("get_weather", 3)]),
        ("outlook", [("weather_forecast", 2)]),
        ("WEATHER", [("get_weather", 10), ("weather_forecast", 10)]),
        ("weather city", [("get_weather", 12), ("weather_forecast", 10)]),
        ("pods k8s.pods", [("k8s.pods", 15)]),
        ("fore fore", [("weather_forecast", 10)]),
        ("forecast,", []),
        ("Select:get_weather", []),
    ],
)
def test_each_keyword_counts_by_its_best_place_and_keywords_add(query: str, expected: list[tuple[str, float]]) -> None:
    """E2-16 to E2-23."""
    assert scores(search(query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("+slack send", [("mcp__slack__send_message", 20), ("sendEmail", 12)]),
        ("+channel send", [("mcp__slack__send_message", 12)]),
        ("+ slack", [("mcp__slack__send_message", 10), ("sendEmail", 2)]),
        ("++slack", []),
        ("+zzz send", []),
        ("+", []),
    ],
)
def test_a_required_keyword_leaves_out_tools_without_it(query: str, expected: list[tuple[str, float]]) -> None:
    """E2-14, E2-15, E2-22: the description counts too."""
    assert scores(search(query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("select:get_weather,sendEmail", ["get_weather", "sendEmail"]),
        (" select: sendEmail , get_weather,, ", ["sendEmail", "get_weather"]),
        ("select:nobody,sendEmail", ["sendEmail"]),
        ("select:sendEmail,sendEmail", ["sendEmail", "sendEmail"]),
        ("select:SendEmail", []),
        ("select:", []),
    ],
)
def test_a_selection_gives_the_tools_it_names_as_asked(query: str, expected: list[str]) -> None:
    """E2-12, E2-13: it knows no limit."""
    ranking = search(query, limit=1)
    assert [hit.tool.name for hit in ranking.hits] == expected
    assert not ranking.scored


def test_a_selection_says_how_many_names_are_unknown() -> None:
    assert search("select:nobody,sendEmail").notes == ("1 of the names asked for is no tool’s here",)


def test_a_selection_holds_to_the_servers() -> None:
    there, elsewhere = ToolSpec("here", server="a"), ToolSpec("there", server="b")
    assert scores(search("select:here,there", there, elsewhere, servers=frozenset("a"))) == [("here", 1)]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPResponse", ["get", "HTTP", "Response"]),
        ("XMLHttpRequest", ["XML", "Http", "Request"]),
        ("iOSApp", ["i", "OS", "App"]),
        ("parseJSONFile2", ["parse", "JSON", "File2"]),
        ("s3GetObject", ["s3", "Get", "Object"]),
        ("mcp__git-hub__create.issue", ["mcp", "git-hub", "create.issue"]),
        ("ÉcrireFichier", ["Écrire", "Fichier"]),
        ("_", []),
    ],
)
def test_a_name_is_cut_at_underscores_and_humps(name: str, parts: list[str]) -> None:
    """E2-18, E2-19."""
    assert name_parts(name) == parts


@pytest.mark.parametrize("query", ["istanbul", "οδοσ", "ΟΔΟΣ"])
def test_letters_are_lower_cased_one_by_one_as_in_go(query: str) -> None:
    """T1."""
    assert scores(search(query)) == [("k8s.pods", 2)]


@pytest.mark.parametrize(("space", "parts"), [("\u0085", True), ("\u00a0", True), ("\x1c", False), ("\ufeff", False)])
def test_keywords_are_parted_by_the_white_space_of_go(space: str, parts: bool) -> None:
    """T2."""
    assert bool(scores(search(f"weather{space}city"))) is parts


def test_equal_scores_are_in_the_order_of_the_names_bytes() -> None:
    """E2-23."""
    tools = [ToolSpec(name) for name in ("x_é", "x_b", "x_B", "x_a")]
    assert [name for name, _ in scores(search("x", *tools))] == ["x_B", "x_a", "x_b", "x_é"]


def test_what_lies_beyond_the_limit_is_told_as_cut() -> None:
    ranking = search("e", limit=2)
    assert ranking.matched == 5
    assert (ranking.cuts[0].by, len(ranking.cuts[0].hits)) == ("top-k 2", 3)


def test_the_tiers_that_lost_stay_in_the_explanation() -> None:
    (hit,) = search("forecast").hits
    (keyword,) = hit.explanation.parts
    assert [part.value for part in keyword.parts] == [10, 5, 3]
    assert keyword.winner.reason == "the keyword “forecast” is a part of its name (10)"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("forecast", "The keyword “forecast” is a part of its name (10)."),
        ("fore", "The keyword “fore” is inside a part of its name, “forecast” (5)."),
        ("fore fore", "The keyword “fore” is inside a part of its name, “forecast” (5), 2 times."),
        (
            "+forecast outlook",
            "The required keyword “forecast” is a part of its name (10), and the keyword “outlook” is in its description (2).",
        ),
        ("select:weather_forecast", "Its name was asked for."),
    ],
)
def test_a_hit_is_told_in_a_sentence(query: str, sentence: str) -> None:
    assert describe(search(query).hits[0]) == sentence


def test_the_reading_shows_what_was_dropped_and_what_no_tool_has() -> None:
    words = search("+ weather zzz").reading.words
    assert [(word.text, word.dropped, word.unknown) for word in words] == [
        ("+", "a plus sign without a keyword", False),
        ("weather", "", False),
        ("zzz", "", True),
    ]


def plain_score(keyword: str, tool: ToolSpec) -> float:
    """E2-20 as it is written."""
    parts = [go_lower(part) for part in name_parts(tool.name)]
    tiers = {
        10: keyword in parts,
        5: any(keyword in part for part in parts),
        3: keyword in go_lower(tool.name),
        2: keyword in go_lower(tool.description),
    }
    return next((points for points, holds in tiers.items() if holds), 0)


@given(catalogs, phrases)
@settings(max_examples=100, deadline=None)
def test_every_tool_scores_what_the_plain_rules_say(tools: tuple[ToolSpec, ...], query: str) -> None:
    expected = {tool.name: sum(plain_score(go_lower(word), tool) for word in go_words(query)) for tool in tools}
    found = EinoKeyword(Corpus(tools, Path("/nonexistent"))).search(query, len(tools))
    assert dict(scores(found)) == {name: score for name, score in expected.items() if score}
