"""What-ifs under way: a newer one of the same person gives up the older, and what is asked twice is asked once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from catalog import background
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.index import UnreadableIndexError
from catalog.whatif.queries import KnownQuery
from catalog.whatif.sides import Side
from catalog.whatif.under_way import Change, begin

Work = list[Callable[[], None]]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    begun: Work = []
    monkeypatch.setattr(background, "submit", begun.append)
    yield begun
    for one in begun:
        one()


@pytest.fixture
def change(corpus: Corpus, request: pytest.FixtureRequest) -> Callable[[str], Change]:
    queries = (KnownQuery("weather"), KnownQuery("message"))
    side = Side(corpus, choose("like"))
    return lambda named: Change(named, request.node.name, queries, side, lambda before, folder: before)


def test_typing_on_gives_up_what_was_begun_before(change: Callable[[str], Change], work: Work) -> None:
    first, second = begin(change("a"), "ann"), begin(change("b"), "ann")
    for one in work:
        one()
    assert (len(first.shifts), len(second.shifts), second.is_over) == (0, 2, True)


def test_what_two_people_wait_for_is_asked_once_and_given_up_by_neither(
    change: Callable[[str], Change], work: Work
) -> None:
    first = begin(change("c"), "ann")
    assert begin(change("c"), "ben") is first
    begin(change("d"), "ann")
    work[0]()
    assert len(first.shifts) == first.total == 2


def test_one_that_is_over_holds_the_catalog_no_longer(change: Callable[[str], Change], work: Work) -> None:
    found = begin(change("e"), "ann")
    work.pop()()
    assert (found.is_over, found.change, found.problem) == (True, None, "")


def test_an_index_that_changed_meanwhile_is_told(corpus: Corpus, work: Work) -> None:
    def after(side: Side, folder: Path) -> Side:
        raise UnreadableIndexError("gone")

    found = begin(Change("f", "gone", (KnownQuery("x"),), Side(corpus, choose("like")), after), "ann")
    work.pop()()
    assert found.problem == "The index was changed meanwhile. Ask again."


def test_what_comes_while_a_page_is_made_is_not_taken_for_the_end(change: Callable[[str], Change], work: Work) -> None:
    found = begin(change("g"), "ann")
    early = found.so_far()
    work.pop()()
    assert (early.is_over, early.shifts) == (False, ())
    assert (found.so_far().is_over, len(found.so_far().shifts)) == (True, 2)
