"""Calls against what was expected, and what is expected as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.runs.aligning import align, same_arguments
from playground.runs.expectation import UnreadableExpectationError, expectation_of, read_expectation
from playground.runs.outline import Call


def calls(names: str) -> list[Call]:
    return [Call(name) for name in names.split()]


def verdicts(expected: str, made: str) -> list[str]:
    return [
        f"{one.verdict}: {(one.expected or one.made or Call('')).tool}" for one in align(calls(expected), calls(made))
    ]


@pytest.mark.parametrize(
    ("expected", "made", "told"),
    [
        ("a b", "a b", ["as expected: a", "as expected: b"]),
        ("a b", "b", ["missing: a", "as expected: b"]),
        ("a", "x a y", ["extra: x", "as expected: a", "extra: y"]),
        ("a b c", "b c a", ["out of order: a", "as expected: b", "as expected: c"]),
        ("a a", "a", ["as expected: a", "missing: a"]),
        ("", "a", ["extra: a"]),
        ("", "", []),
    ],
)
def test_each_call_has_one_verdict(expected: str, made: str, told: list[str]) -> None:
    assert verdicts(expected, made) == told


names = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


@given(names, names)
def test_every_call_of_both_sides_is_told_once(expected: str, made: str) -> None:
    told = align(calls(expected), calls(made))
    assert sorted(one.expected.tool for one in told if one.expected) == sorted(expected.split())
    assert sorted(one.made.tool for one in told if one.made) == sorted(made.split())
    missing = {one.expected.tool for one in told if one.verdict == "missing" and one.expected}
    assert not missing & {one.made.tool for one in told if one.verdict == "extra" and one.made}
    assert all(one.verdict == "as expected" for one in align(calls(made), calls(made)))


@pytest.mark.parametrize(
    ("expected", "made", "alike"),
    [
        ('{"a": 1, "b": [2]}', '{"b":[2],"a":1.0}', True),
        ('{"a": 1}', '{"a": 2}', False),
        (None, "{not json", True),
        ("{}", "", True),
        ("{not json", "{not json", True),
    ],
)
def test_arguments_are_compared_as_json(expected: str | None, made: str, alike: bool) -> None:
    assert same_arguments(expected, made) is alike
    assert align([Call("t", expected)], [Call("t", made)])[0].verdict == (
        "as expected" if alike else "arguments differ"
    )


def test_what_is_expected_is_read_line_by_line() -> None:
    text = '# the weather\nweather__get {"city": "Oslo"}\n\n  mail__send  \n'
    assert read_expectation(text) == (Call("weather__get", '{"city": "Oslo"}'), Call("mail__send"))
    assert read_expectation(expectation_of(read_expectation(text))) == read_expectation(text)


def test_every_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(UnreadableExpectationError) as caught:
        read_expectation("a {\nb\nc [1]\nd " + "[" * 100_000)
    assert [problem[:7] for problem in caught.value.problems] == ["Line 1:", "Line 3:", "Line 4:"]
