"""LIKE: every word of the query, as a substring, whatever its case."""

from pathlib import Path

import pytest

from catalog.search.engine import Corpus
from catalog.search.like import Like
from catalog.search.ranking import Ranking
from catalog.search.sentences import describe
from catalog.tools import ToolSpec

TOOLS = (
    ToolSpec("read_file", "读文件 Read a file from disk"),
    ToolSpec("send_email", "Deliver an e-mail", search_text="write a letter"),
    ToolSpec("sendMessage", "Post to a channel by email", aliases=("tell the team",)),
)


def search(query: str) -> Ranking:
    return Like(Corpus(TOOLS, Path("/nonexistent"))).search(query, 5)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SEND", [("send_email", 2), ("sendMessage", 2)]),
        ("email", [("send_email", 2), ("sendMessage", 1)]),
        ("send email", [("send_email", 4), ("sendMessage", 3)]),
        ("send disk", []),
        ("ile", [("read_file", 2)]),
        ("letter", [("send_email", 1)]),
        ("tell team", [("sendMessage", 2)]),
        ("文件", [("read_file", 1)]),
        ("send send", [("send_email", 2), ("sendMessage", 2)]),
        ("%", []),
    ],
)
def test_every_word_must_be_found_and_counts_by_its_best_field(query: str, expected: list[tuple[str, float]]) -> None:
    assert [(hit.tool.name, hit.score) for hit in search(query).hits] == expected


def test_a_word_that_no_tool_has_is_told() -> None:
    assert [word.text for word in search("send zzz").reading.words if word.unknown] == ["zzz"]


def test_a_hit_is_told_in_a_sentence() -> None:
    assert describe(search("letter send").hits[0]) == "Its name has “send”, and its search text has “letter”."
