"""Two values compared for the eye."""

from typing import Any

import pytest

from catalog.differences import MAX_LINES, Line, compare
from tests.effort import bounded_effort


def told(lines: list[Line]) -> list[tuple[str, str]]:
    return [(line.kind, "".join(piece.text for piece in line.pieces)) for line in lines]


def marked(line: Line) -> list[str]:
    return [piece.text for piece in line.pieces if piece.differs]


def test_of_a_line_of_text_the_words_that_differ_are_marked() -> None:
    before, after = compare("Send a direct message.", "Send a short message.")
    assert (before.kind, marked(before)) == ("removed", ["direct"])
    assert (after.kind, marked(after)) == ("added", ["short"])


def test_of_a_text_without_spaces_the_characters_that_differ_are_marked() -> None:
    before, after = compare("查询城市天气", "查询任何城市的天气")
    assert (marked(before), marked(after)) == ([], ["任何", "的"])


def test_of_lines_that_stand_in_each_others_place_the_words_that_differ_are_marked() -> None:
    lines = compare("Finds a file.\n\nArgs: a short path", "Finds a file.\n\nArgs: a long path")
    assert [(line.kind, marked(line)) for line in lines if line.kind != "same"] == [
        ("removed", ["short"]),
        ("added", ["long"]),
    ]


def test_json_is_compared_by_its_lines_with_what_stands_around() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"minimum": 0}}}
    lines = told(compare(schema, {**schema, "properties": {"a": {"minimum": 1}}}))
    assert ("removed", '      "minimum": 0') in lines
    assert ("added", '      "minimum": 1') in lines
    assert ("same", '    "a": {') in lines


def test_texts_of_a_list_are_compared_one_a_line() -> None:
    assert told(compare(["mail", "发票"], ["mail"])) == [("same", "mail"), ("removed", "发票")]


@pytest.mark.parametrize("empty", [None, "", [], {}])
def test_what_was_empty_has_only_lines_that_came(empty: Any) -> None:
    assert told(compare(empty, "New.")) == [("added", "New.")]
    assert told(compare("Old.", empty)) == [("removed", "Old.")]


def test_of_very_long_values_the_beginning_is_compared_and_that_is_said() -> None:
    with bounded_effort(30):
        lines = told(compare(["a"] * 30_000, ["b", *["a"] * 30_000]))
        compare("x y " * 8_000, "y x " * 8_000)
    assert lines[-1] == ("hunk", f"Only the first {MAX_LINES:,} lines are compared.")
