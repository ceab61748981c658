"""How much the texts of two tools overlap, word by word."""

import pytest

from catalog.lint.overlap import Overlaps
from catalog.lint.tool_words import terms_of
from catalog.lint.vectors import alike, numbered, sparse
from catalog.tools import ToolSpec

TOOLS = [
    ToolSpec("draft_invoice", "Prepares an invoice as a draft.", server="billing"),
    ToolSpec("send_invoice", "Issues an invoice and mails it.", server="billing"),
    ToolSpec("get_weather", "Tells the weather of a city.", server="weather"),
]


def test_the_words_in_both_add_up_to_the_cosine_that_near_duplicates_are_told_by() -> None:
    overlaps = Overlaps(TOOLS)
    cosines = {(a, b): cosine for a, b, cosine in alike(sparse(numbered(terms_of(tool) for tool in TOOLS)), 0.01)}
    for (a, b), cosine in cosines.items():
        overlap = overlaps.of(TOOLS[a], TOOLS[b])
        assert overlap.cosine == pytest.approx(cosine)
        assert sum(one.part for one in overlap.shared) == pytest.approx(cosine)
    assert (0, 1) in cosines


def test_words_are_told_as_they_are_written_and_those_of_one_tool_alone_beside_them() -> None:
    overlap = Overlaps(TOOLS).of(TOOLS[0], TOOLS[1])
    assert [one.word for one in overlap.shared] == ["invoice"]
    assert "draft" in overlap.only_here
    assert "send" in overlap.only_there
    assert overlap.told_apart


def test_tools_without_a_word_in_common_do_not_overlap() -> None:
    overlap = Overlaps(TOOLS).of(TOOLS[0], TOOLS[2])
    assert (overlap.cosine, overlap.shared) == (0.0, ())


def test_a_tool_that_says_nothing_overlaps_with_none() -> None:
    silent = ToolSpec("")
    assert Overlaps([silent, *TOOLS]).of(silent, TOOLS[0]).cosine == 0.0
