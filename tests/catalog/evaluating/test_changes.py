"""Two evaluations query by query, and where figures stand in a drawing."""

import pytest

from catalog.evaluating.changes import Kind, Measured, changes, compared
from catalog.evaluating.charts import SIZE, Point, chart_of
from catalog.evaluating.statistics import Interval


def measured(text: str, rank: int | None) -> Measured:
    hits = tuple("a/right" if place == rank else f"a/{place}" for place in range(1, 11))
    return Measured(
        text, (), (frozenset({"a/right"}),), hits, {"a/right": rank} if rank else {}, {"MRR": 1 / rank if rank else 0}
    )


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (1, 6, "regressed"),
        (None, 5, "fixed"),
        (7, None, "failing"),
        (1, 2, "changed"),
        (3, 3, "same"),
    ],
)
def test_what_became_of_a_query(before: int | None, after: int | None, kind: Kind) -> None:
    (change,) = changes([measured("q", before)], [measured("q", after)])
    assert (change.kind, change.text) == (kind, "q")


def test_queries_of_one_evaluation_alone_are_new_or_removed_and_not_compared() -> None:
    before, after = [measured("gone", 1), measured("both", 1)], [measured("both", 2), measured("new", 1)]
    assert [(one.kind, one.text) for one in changes(before, after)] == [
        ("new", "new"),
        ("removed", "gone"),
        ("changed", "both"),
    ]
    found = compared(before, after, "MRR")
    assert found is not None
    assert (found.count, found.interval.mean) == (1, -0.5)
    assert compared(before[:1], after, "MRR") is None


def test_the_tools_that_answer_are_told_by_rank_and_those_not_found_last() -> None:
    one = Measured("q", (), (frozenset({"a", "b", "c"}),), ("c", "x", "a"), {"c": 1, "a": 3}, {})
    assert one.answers == [("c", 1), ("a", 3), ("b", None)]
    assert one.best_rank == 1


def test_a_line_is_broken_where_the_suite_changed() -> None:
    points = [
        Point(1, "x", Interval(0.5, 0.45, 0.55)),
        Point(2, "x", Interval(0.55, 0.5, 0.6)),
        Point(3, "x", Interval(0.65, 0.6, 0.7), breaks=True),
    ]
    chart = chart_of(points)
    (line,) = chart.lines
    assert [path.count("L") for path in line.paths] == [1, 0]
    assert line.marks[1].x < chart.breaks[0] < line.marks[2].x
    assert chart.ticks[0] == (0.7, 0) and chart.ticks[-1][1] == SIZE
    assert all(mark.high <= mark.y <= mark.low for mark in line.marks)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_one_figure_without_spread_can_be_drawn(value: float) -> None:
    (mark,) = chart_of([Point(1, "x", Interval(value, value, value))]).lines[0].marks
    assert 0 <= mark.y <= SIZE
