"""The scale of the bars: the best score, unless a bonus dwarfs the rest."""

from catalog.search.bar_scale import FILLED, bar_scale
from catalog.search.explanation import Explanation, fact, sum_of
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.tools import ToolSpec


def ranking(*told: Explanation) -> Ranking:
    hits = tuple(Hit(rank, ToolSpec(f"tool{rank}"), each) for rank, each in enumerate(told, start=1))
    return Ranking("pegboard", QueryReading("x"), hits)


def scored(name: float, bonus: float = 0.0) -> Explanation:
    return sum_of("all", [fact(name, "its name", field="name"), fact(bonus, "a bonus", field="bonus")])


def test_it_is_the_best_score() -> None:
    assert bar_scale(ranking(scored(10, 2), scored(5))) == 12


def test_a_bonus_that_dwarfs_all_else_is_broken_off() -> None:
    assert bar_scale(ranking(scored(10, 90), scored(8))) == 10 / FILLED


def test_a_bonus_alone_is_no_reason_for_another_scale() -> None:
    assert bar_scale(ranking(scored(0, 5))) == 5


def test_a_ranking_without_hits_has_a_scale_too() -> None:
    assert bar_scale(ranking()) == 1
