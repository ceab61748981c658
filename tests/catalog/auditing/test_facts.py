"""What an entry tells of a row: what differs, cut to what can be read, and no secret."""

import json

from catalog.auditing.facts import MOST_NAMES, MOST_TEXT, Secret, differing, written


def test_only_what_differs_is_told() -> None:
    assert differing({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 4, "d": 5}) == ({"b": 2, "c": 3}, {"b": 4, "d": 5})


def test_of_two_long_lists_only_what_came_and_went_is_told() -> None:
    old = [f"tool {number}" for number in range(MOST_NAMES + 1)]
    assert differing({"tools": old}, {"tools": [*old[1:], "new"]}) == ({"tools": ["tool 0"]}, {"tools": ["new"]})


def test_a_secret_that_differs_is_told_by_name() -> None:
    before, after = differing({"KEY": Secret("one"), "SAME": Secret("x")}, {"KEY": Secret("two"), "SAME": Secret("x")})
    assert (written(before), written(after)) == ('{"KEY": "\\u2022\\u2022\\u2022\\u2022"}',) * 2


def test_what_looks_like_a_secret_is_masked_wherever_it_stands() -> None:
    assert "CANARY" not in written({"args": ["--key", "sk-CANARY-0123456789abcdef"]})


def test_long_texts_and_lists_are_cut_and_say_so() -> None:
    told = json.loads(written({"text": "x" * (MOST_TEXT + 5), "names": list(range(MOST_NAMES + 7))}))
    assert told["text"].endswith("… and 5 characters more")
    assert told["names"][-1] == "… and 7 more"


def test_nothing_to_tell_is_written_as_nothing() -> None:
    assert written({}) == ""
    assert written({"nul": "\x00\ud800"}).isascii()
