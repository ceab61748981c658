"""Tools that read alike, and those that only share words."""

from itertools import combinations
from random import Random

import pytest

from catalog.lint.near_duplicates import NearDuplicates
from catalog.lint.side_by_side import side_by_side
from catalog.lint.vectors import Sparse, alike, numbered, sparse
from catalog.tools import ToolSpec
from tests.catalog.lint.tools import found_by, tool

OTHERS = tuple(
    tool(f"other{n}", f"Something about {word}.") for n, word in enumerate(["cars", "planes", "trees", "seas"])
)
SHEET = "Assets, liabilities and equity of a company that is listed at an exchange, as it reported them."


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("get_event", "Get a calendar event."), ("fetch_event", "Get a calendar event.")),
        (("delete_event", "Delete a calendar event"), ("delete_calendar_event", "Delete a calendar event")),
        (("forward", "Go forward to the next page"), ("navigate_forward", "Go forward to the next page")),
        (("balance_annual", SHEET), ("balance_quarterly", SHEET)),
        (("笔记内容", "获取笔记内容"), ("笔记内容", "获取笔记的内容")),
    ],
)
def test_tools_that_read_alike_are_told(one: tuple[str, str], two: tuple[str, str]) -> None:
    (finding,) = found_by("near-duplicate", tool(*one), tool(*two, "two"), *OTHERS)
    assert {finding.tool, finding.other} == {f"team/{one[0]}", f"two/{two[0]}"}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("create_tag", "Create a tag of a course."), ("delete_tag", "Delete a tag of a course.")),
        (("get_followers", "Users with a follow of the user."), ("get_following", "Users of a follow of the user.")),
        (("get_game", "Get a specific game of a league"), ("get_games", "Get the list of games of a league")),
        (("convert_to_base", "Convert a token to base unit"), ("convert_from_base", "Convert a token from base unit")),
        (("send", ""), ("send", "")),
        (("send_mail", "Send a mail."), ("weather", "The weather in a city.")),
    ],
)
def test_tools_that_a_reader_can_tell_apart_pass(one: tuple[str, str], two: tuple[str, str]) -> None:
    shared = {"account": {"type": "string", "description": "The account, the workspace and the region it lies in."}}
    assert found_by("near-duplicate", tool(*one, "one", shared), tool(*two, "two", shared), *OTHERS) == []


def test_the_words_that_only_one_has_are_named() -> None:
    texts = "Describe the columns of a table in the schema of the warehouse"
    (finding,) = found_by(
        "near-duplicate", tool("describe", f"{texts} quickly"), tool("describe", texts, "two"), *OTHERS
    )
    assert (finding.only_here, finding.only_there) == (("quickly",), ())


def test_of_many_copies_each_is_told_of_once() -> None:
    copies = [tool("screenshot", "Take a screenshot of the page.", f"browser-{n}") for n in range(12)]
    findings = found_by("near-duplicate", *copies, *OTHERS)
    assert len(findings) == 11
    assert {finding.tool for finding in findings} == {"browser-0/screenshot"}


def test_a_finding_rests_on_the_texts_of_both() -> None:
    def rests(other: str) -> str:
        return found_by("near-duplicate", tool("get", "Get a page of it."), tool("get", other, "two"), *OTHERS)[
            0
        ].rests_on

    assert rests("Get a page of it.") == rests("Get a page of it.") != rests("Get a page of it!")


def test_words_in_both_are_muted_and_the_others_marked() -> None:
    here, there = side_by_side(tool("get_page", "Get a page"), tool("get_site", "Get a page now"))
    assert [(piece.text, piece.kind) for piece in here.name] == [("get", "both"), ("_", "between"), ("page", "only")]
    assert [piece.text for piece in there.description if piece.kind == "only"] == ["now"]
    assert "".join(piece.text for piece in there.description) == "Get a page now"


def cosine(vectors: Sparse, a: int, b: int) -> float:
    def of(number: int) -> dict[int, float]:
        part = slice(int(vectors.starts[number]), int(vectors.starts[number + 1]))
        return dict(zip(vectors.terms[part].tolist(), vectors.weights[part].tolist(), strict=True))

    here, there = of(a), of(b)
    return sum(weight * there.get(term, 0) for term, weight in here.items())


@pytest.mark.parametrize("seed", range(6))
def test_no_pair_is_missed_and_none_is_made_up(seed: int) -> None:
    random = Random(seed)
    documents = [[random.choice("abcdefghijkl") for _ in range(random.randint(0, 9))] for _ in range(60)]
    vectors = sparse(numbered(documents))
    expected = {pair: cosine(vectors, *pair) for pair in combinations(range(60), 2)}
    found = {(a, b): value for a, b, value in alike(vectors, 0.8)}
    assert found.keys() == {pair for pair, value in expected.items() if value >= 0.8 - 1e-9} and found
    assert all(abs(value - expected[pair]) < 1e-9 for pair, value in found.items())


def test_the_threshold_is_a_setting() -> None:
    one, two = tool("find_page", "Find a page in the wiki."), tool("find_page", "Find a page.", "two")
    tools: list[ToolSpec] = [one, two, *OTHERS]
    strict, lax = NearDuplicates(least=0.99), NearDuplicates(least=0.3)
    assert (len(strict.pairs(tools)), len(lax.pairs(tools))) == (0, 1)
