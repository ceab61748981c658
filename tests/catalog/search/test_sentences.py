"""Why a tool was found, in a sentence."""

from dataclasses import replace

import pytest

from catalog.search.explanation import Explanation, fact, sum_of
from catalog.search.ranking import Hit
from catalog.search.sentences import describe
from catalog.tools import ToolSpec


def said(*parts: Explanation) -> str:
    return describe(Hit(1, ToolSpec("a_tool"), sum_of("all", parts)))


NAME = fact(5, "its name has “channel”", field="name")
NAME_TOO = fact(3, "its name has “team”", field="name")
DESCRIPTION = fact(4, "its description has “team”", field="description")
RARE = replace(NAME, background=fact(4, "a rare word here (4 of 431 tools)"))
SMALL = fact(0.1, "its server’s text has “team”", field="server")


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([], ""),
        ([NAME], "Its name has “channel”."),
        ([DESCRIPTION, NAME], "Its name has “channel”, and its description has “team”."),
        (
            [RARE, DESCRIPTION],
            "Its name has “channel”, a rare word here (4 of 431 tools), and its description has “team”.",
        ),
        ([NAME, NAME_TOO], "Its name has “channel” and “team”."),
        ([NAME, SMALL], "Its name has “channel”."),
        ([NAME, NAME], "Its name has “channel”, 2 times."),
    ],
)
def test_a_hit_is_described_strongest_reason_first(parts: list[Explanation], sentence: str) -> None:
    assert said(*parts) == sentence
