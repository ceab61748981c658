"""Mastra's search: its tokens, BM25 over one text, bonuses for the candidates' names, and the order of all this."""

from math import log
from pathlib import Path

import pytest

from catalog.search.cutting import above
from catalog.search.engine import Corpus
from catalog.search.mastra import MastraBm25, MastraSettings, index_order, tokenize
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.tools import ToolSpec

TOOLS = (
    ToolSpec("get_weather", "Current weather conditions for one city", server="weather"),
    ToolSpec("weather_forecast", "Seven day outlook for a place", server="weather"),
    ToolSpec("email", "Deliver a letter", server="mail"),
    ToolSpec("createIssue", "Open a ticket", server="tracker"),
)


def engine(*tools: ToolSpec) -> MastraBm25:
    return MastraBm25(Corpus(tools or TOOLS, Path("/nonexistent")))


def names(ranking: Ranking) -> list[str]:
    return [hit.tool.name for hit in ranking.hits]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("create_issue-now, (PLEASE)!", ["create", "issue", "now", "please"]),
        ("createIssue a+b user@example.com", ["createissue", "a+b", "user@example", "com"]),
        ("查询天气 天", ["查询天气"]),
        ("🔥 a", ["🔥"]),
        ("ΟΔΟΣ İx", ["οδος", "i̇x"]),
        ("a1\ufeffb2\u00a0c3\u0085d4\x1ce5", ["a1", "b2", "c3\u0085d4\x1ce5"]),
    ],
)
def test_a_text_is_cut_into_tokens(text: str, tokens: list[str]) -> None:
    """M-6, T1 to T3."""
    assert tokenize(text) == tokens


def test_a_score_is_bm25_and_a_bonus() -> None:
    """M-7, M-9."""
    hit = engine().search("forecast", 5).hits[0]
    rarity = log((4 - 1 + 0.5) / (1 + 0.5) + 1)
    occurrence = 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 7 / ((8 + 7 + 3 + 3) / 4)))
    assert hit.score == pytest.approx(rarity * occurrence + 2)
    assert {part.field for part in hit.explanation.contributions()} == {"name", "bonus"}


@pytest.mark.parametrize(("query", "bonus"), [("email", 5), ("email email", 10), ("forecast", 2), ("outlook", 0)])
def test_a_word_in_the_name_earns_a_bonus(query: str, bonus: float) -> None:
    parts = engine().search(query, 5).hits[0].explanation.contributions()
    assert sum(part.value for part in parts if part.field == "bonus") == bonus


@pytest.mark.parametrize("query", ["create issue", "mail", "e", "", "   "])
def test_a_tool_that_bm25_does_not_find_earns_none(query: str) -> None:
    """M-6, M-9."""
    assert names(engine().search(query, 5)) == []


NAMED = [ToolSpec(f"x{number}", "alpha") for number in range(4)]
LONG = ToolSpec("alpha_late", "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda")


def test_only_candidates_earn_a_bonus() -> None:
    """M-8: twice as many candidates as are returned."""
    ranking = engine(*NAMED, LONG).search("alpha", 2)
    assert names(ranking) == ["x0", "x1"]
    assert [(cut.by, [hit.tool.name for hit in cut.hits]) for cut in ranking.cuts] == [
        ("top-k 2", ["x2", "x3"]),
        ("candidates 4", ["alpha_late"]),
    ]
    assert names(engine(*NAMED, LONG).search("alpha", 3))[0] == "alpha_late"


def test_with_servers_chosen_every_match_is_a_candidate() -> None:
    """M-8, its filter."""
    assert names(engine(*NAMED, LONG).search("alpha", 2, frozenset({""})))[0] == "alpha_late"


def test_equal_scores_are_in_the_order_in_which_their_tools_are_met() -> None:
    """M-8: token by token, then in the order of the index."""
    tools = [ToolSpec("one", "alpha"), ToolSpec("two", "beta"), ToolSpec("three", "alpha"), ToolSpec("four", "beta")]
    assert names(engine(*tools).search("beta alpha", 4)) == ["two", "four", "one", "three"]


def test_whole_numbers_come_first_in_the_index() -> None:
    """T5."""
    tools = [ToolSpec(name) for name in ("b", "10", "a", "9", "01", "4294967295")]
    assert [tool.name for tool in index_order(tools)] == ["9", "10", "b", "a", "01", "4294967295"]


@pytest.mark.parametrize(("least", "found"), [(0, 2), (3, 1), (100, 0)])
def test_scores_at_or_below_the_least_are_cut(least: float, found: int) -> None:
    """M-10: raw scores with their bonuses, not values between 0 and 1."""
    whole = engine().search("weather conditions", 5)
    ranking = above(least, whole)
    assert ranking.hits == whole.hits[:found]
    assert [cut.by for cut in ranking.cuts] == [f"minScore {least:g}"] * (found < 2)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("outlook", "Its description has “outlook”."),
        ("email", "It gets a bonus for “email” as its whole name (+5), and its name has “email”."),
        (
            "forecast forecast",
            "It gets a bonus for “forecast” in its name (+2), 2 times, and its name has “forecast”, 2 times.",
        ),
    ],
)
def test_a_hit_is_told_in_a_sentence(query: str, sentence: str) -> None:
    assert describe(engine().search(query, 5).hits[0]) == sentence


def test_a_minimum_is_a_share_of_the_best_score_as_documented_and_raw_as_implemented() -> None:
    corpus = Corpus(TOOLS, Path("/nonexistent"))
    whole = MastraBm25(corpus).search("weather forecast", 5)
    best, *others = [hit.score for hit in whole.hits]
    assert others
    assert others[0] < 0.9 * best
    shared = MastraBm25(corpus, MastraSettings(min_score=0.9)).search("weather forecast", 5)
    assert [hit.score for hit in shared.hits] == [best]
    assert shared.cuts[0].by.startswith("minScore")
    raw = MastraBm25(corpus, MastraSettings(fidelity="implemented", min_score=0.9)).search("weather forecast", 5)
    assert [hit.score for hit in raw.hits] == [score for score in [best, *others] if score > 0.9]
