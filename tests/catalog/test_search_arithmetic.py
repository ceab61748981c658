"""The figures of an explanation: as many decimals as the best score of the page needs, adding up to the last."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.search.explanation import Explanation, fact, sum_of
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.templatetags.search_arithmetic import adding_up, by_field, digits_of, rows, score, score_bar
from catalog.tools import ToolSpec

small = st.floats(0.0001, 0.05)


def ranking_of(*told: Explanation) -> Ranking:
    hits = tuple(Hit(rank, ToolSpec(f"tool_{rank}"), each) for rank, each in enumerate(told, start=1))
    return Ranking("hybrid", QueryReading("read file"), hits)


def fused(*values: float) -> Explanation:
    return sum_of("fused", [sum_of(f"part {value}", [fact(value, "it counts", field="name")]) for value in values])


@pytest.mark.parametrize(
    ("best", "digits"), [(12.3, 2), (1.0, 2), (0.5, 3), (0.0328, 4), (0.00999, 5), (1e-12, 9), (0.0, 2)]
)
def test_three_digits_of_the_best_score_are_shown(best: float, digits: int) -> None:
    assert digits_of(ranking_of(fact(best, "it counts"))) == digits


def test_every_figure_of_a_ranking_has_as_many_decimals() -> None:
    ranking = ranking_of(fused(1 / 61, 1 / 61), fused(0.5 / 62))
    assert [score(hit.score, ranking) for hit in ranking.hits] == ["0.0328", "0.0081"]
    assert [row.shown for row in rows(ranking.hits[1].explanation, ranking)] == ["0.0081"]
    assert by_field(ranking.hits[1].explanation, ranking) == "part 0.008064516129032258 0.0081"


def test_without_a_ranking_figures_have_two_decimals() -> None:
    assert score(1.005001) == "1.01"
    assert score(0.0328) == "0.03"


@given(st.lists(small, min_size=1, max_size=6))
def test_small_figures_add_up_to_the_last_one_shown(values: list[float]) -> None:
    told = fused(*values)
    ranking = ranking_of(told)
    shown = [row.shown for row in rows(told, ranking)]
    digits = digits_of(ranking)
    assert all(re.fullmatch(rf"\d+\.\d{{{digits}}}", each) for each in shown)
    assert sum(int(each.replace(".", "")) for each in shown) == int(score(told.value, ranking).replace(".", ""))
    assert all(row.shown == below.shown for row in rows(told, ranking) for below in row.rows)


@given(st.lists(small, min_size=1, max_size=6), st.integers(2, 6))
def test_no_figure_is_off_by_more_than_its_last_digit(values: list[float], digits: int) -> None:
    total = round(sum(values) * 10**digits)
    found = adding_up(total, values, digits)
    assert sum(found) == total
    assert all(
        abs(units / 10**digits - value) <= 1.00001 / 10**digits for units, value in zip(found, values, strict=True)
    )


def test_the_segments_of_a_bar_say_what_the_rows_say() -> None:
    ranking = ranking_of(fused(1 / 61, 0.5 / 62))
    segments = score_bar(ranking.hits[0], ranking)["segments"]
    assert isinstance(segments, list)
    assert [segment.shown for segment in segments] == [row.shown for row in rows(ranking.hits[0].explanation, ranking)]
