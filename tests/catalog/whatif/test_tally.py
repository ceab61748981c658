"""What the changes of all queries come to, each number with the queries behind it."""

import pytest

from catalog.search.orders import Order
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift
from catalog.whatif.tally import Tally


def shift(text: str, before: str, after: str, *answers: str, called: str = "") -> Shift:
    """Tools are letters of the server `s`; `|` parts those that are returned from those below."""
    groups = tuple(frozenset(f"s/{one}" for one in group) for group in answers)
    query = KnownQuery(text, groups, frozenset(f"s/{one}" for one in called), times=len(called))
    return Shift(query, order(before), order(after))


def order(told: str) -> Order:
    kept, _, below = told.partition("|")
    return Order(tuple(f"s/{one}" for one in kept), tuple(f"s/{one}" for one in below))


SHIFTS = (
    shift("better", "abx", "axb", "x"),
    shift("worse", "yxa", "xya", "y"),
    shift("pushed out", "abcde|x", "xabcd|e"),
    shift("the same", "ab", "ab", "a"),
    shift("lower", "xa", "ax", called="x"),
)


def texts(shifts: list[Shift]) -> set[str]:
    return {one.query.text for one in shifts}


def test_where_the_edited_tool_rises_and_falls_is_told_by_query() -> None:
    tally = Tally(SHIFTS, "s/x")
    assert texts(tally.higher) == {"better", "worse", "pushed out"}
    assert texts(tally.lower) == {"lower"}


def test_a_tool_that_leaves_the_first_k_is_pushed_out() -> None:
    assert {key: texts(shifts) for key, shifts in Tally(SHIFTS, "s/x").pushed_out.items()} == {"s/e": {"pushed out"}}
    assert list(Tally(SHIFTS, "s/x", k=1).pushed_out) == ["s/a", "s/y"]


def test_only_judged_queries_are_better_or_worse() -> None:
    tally = Tally(SHIFTS, "s/x")
    assert (texts(tally.better), texts(tally.worse)) == ({"better"}, {"worse"})


def test_figures_are_means_of_the_judged_queries_before_and_after() -> None:
    figures = {figure.name: figure for figure in Tally(SHIFTS).figures}
    assert figures["recall@1"].before == pytest.approx(2 / 3)
    assert figures["recall@1"].after == pytest.approx(1 / 3)
    assert figures["recall@5"].gain == 0
    assert Tally(SHIFTS[2:3]).figures == []


def test_a_tool_that_is_also_fine_gains_half_as_in_evaluations() -> None:
    query = KnownQuery("rain", (frozenset({"s/a", "s/b"}),), fine=frozenset({"s/b"}))
    assert Tally([Shift(query, order("ab"), order("ba"))]).worse


def test_a_query_fails_while_one_of_its_needs_has_no_tool() -> None:
    both = shift("both", "", "ab", "a", "bc")
    one = shift("one", "", "ac", "a", "bd")
    recorded = shift("recorded", "", "ab", called="z")
    assert texts(Tally((both, one, recorded, *SHIFTS)).failing) == {"one", "recorded"}


def test_recorded_queries_count_that_return_what_was_called() -> None:
    assert Tally(SHIFTS, k=1).called == (1, 0, 1)


def test_a_tool_that_comes_from_below_the_cut_has_its_rank_there() -> None:
    move = SHIFTS[2].move("s/x")
    assert (move.before, move.after, move.rise) == (6, 1, 1)
    assert SHIFTS[2].move("s/none").rise == 0
