"""Patterns that people and models write: RE2, bounded in length, size and memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.patterns import MAX_LENGTH, PatternError, compile_glob, compile_regex
from tests.effort import bounded_effort


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("weather", "get_weather", True),
        ("WEATHER", "get_weather", False),
        ("^get_", "get_weather", True),
        (r"\p{L}+", "读文件", True),
        (r"\Q\C\E", r"\C", True),
        (r"\\C", r"\C", True),
        (r"a{1000}", "a", False),
    ],
)
def test_a_pattern_matches_as_in_re2(pattern: str, text: str, matches: bool) -> None:
    assert bool(compile_regex(pattern).search(text)) is matches


def test_case_is_ignored_on_demand_until_the_pattern_says_otherwise() -> None:
    assert compile_regex("WEATHER", ignore_case=True).search("weather")
    assert not compile_regex("(?-i)WEATHER", ignore_case=True).search("weather")
    assert compile_regex(r"\p{L}+K", ignore_case=True).search("ok")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing"),
        ("(?=x)", "invalid perl operator"),
        (r"\1", "invalid escape sequence"),
        (r"\C", "invalid escape sequence"),
        (r"\\\C", "invalid escape sequence"),
        (r"\Qa\E\C", "invalid escape sequence"),
        ("a{1001}", "repetition"),
        ("\ud800", "invalid UTF-8"),
        ("a" * (MAX_LENGTH + 1), "too large"),
        ("(?i)a.{0,200}b.{0,200}c", "too large"),
        ("((((a{0,100}){0,100}){0,100}))", "too large|repetition"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=reason):
        compile_regex(pattern, ignore_case=True)


@given(st.text(st.characters(), max_size=60))
def test_any_pattern_compiles_or_is_refused(pattern: str) -> None:
    try:
        compile_regex(pattern)
    except PatternError as refusal:
        assert str(refusal)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}", "(?i)a.{0,150}b"])
def test_no_pattern_stalls(pattern: str) -> None:
    with bounded_effort():
        compile_regex(pattern).search("a" * 50_000 + "!")


@pytest.mark.parametrize(
    ("glob", "name", "matches"),
    [
        ("get_*", "get_weather", True),
        ("get_*", "forget_it", False),
        ("?et", "get", True),
        ("?et", "gget", False),
        ("a.b", "axb", False),
        ("*", "", True),
        ("读*", "读文件", True),
        ("a*", "a\nb", True),
    ],
)
def test_a_glob_matches_whole_names(glob: str, name: str, matches: bool) -> None:
    assert bool(compile_glob(glob).fullmatch(name)) is matches
