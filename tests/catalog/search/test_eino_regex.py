"""Eino's patterns: names only, case matters, catalog order, and errors in Go's words."""

from pathlib import Path

import pytest

from catalog.search.eino_regex import EinoRegex
from catalog.search.engine import Corpus
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.tools import ToolSpec

TOOLS = (ToolSpec("send_message", "Post"), ToolSpec("getWeather", "send it"), ToolSpec("send email", "Weather by mail"))


def search(query: str, limit: int = 100) -> Ranking:
    return EinoRegex(Corpus(TOOLS, Path("/nonexistent"))).search(query, limit)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("send", ["send_message", "send email"]),
        ("weather", []),
        ("(?i)weather", ["getWeather"]),
        (" ", ["send email"]),
        ("^get|sage$", ["send_message", "getWeather"]),
    ],
)
def test_a_pattern_finds_names_in_catalog_order(query: str, expected: list[str]) -> None:
    """EB-4, EB-5."""
    ranking = search(query)
    assert [hit.tool.name for hit in ranking.hits] == expected
    assert not ranking.scored


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", "missing closing ): `(`"),
        ("\\", "trailing backslash at end of expression: ``"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("(?=x)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?<=x)y", "invalid named capture: `(?<=x)y`"),
        ("a(?<!x>y)", "invalid named capture: `(?<!x>`"),
        ("(?<a>x)(?<b c>y)", "invalid named capture: `(?<b c>`"),
        (r"\C", r"invalid escape sequence: `\C`"),
    ],
)
def test_a_bad_pattern_is_told_in_the_words_of_go(pattern: str, said: str) -> None:
    """EB-6, T7."""
    assert search(pattern).problem == f"invalid regex pattern: error parsing regexp: {said}"


def test_a_limit_of_our_own_is_told_in_our_own_words() -> None:
    assert search("x" * 2_000).problem == "invalid regex pattern: pattern too large: 2,000 characters, at most 1,000"


def test_a_caller_who_wants_fewer_sees_the_rest_as_cut() -> None:
    ranking = search("e", limit=1)
    assert (len(ranking.hits), ranking.matched, ranking.cuts[0].by) == (1, 3, "top-k 1")


def test_a_hit_quotes_what_matched() -> None:
    assert describe(search("W.*r").hits[0]) == "The pattern matches “Weather” in the name."
