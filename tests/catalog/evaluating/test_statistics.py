"""Statistics that may say that they cannot tell, against values that were worked out by hand."""

from math import sqrt

import pytest

from catalog.evaluating.statistics import (
    LEAST_DIFFERING,
    SEED,
    difference,
    interval_of,
    more_needed,
    share,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilson_intervals_are_those_of_the_tables(successes: int, trials: int, low: float, high: float) -> None:
    found = share(successes, trials)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_the_interval_of_a_mean_is_near_the_normal_one_and_always_the_same() -> None:
    values = [float(one % 2) for one in range(400)]
    found = interval_of(values)
    half = 1.96 * 0.5 / sqrt(400)
    assert found.mean == 0.5
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=0.006)
    assert found == interval_of(values), SEED


def test_values_without_spread_have_an_interval_without_width() -> None:
    assert interval_of([0.25] * 3) == interval_of([0.25])
    assert (interval_of([0.25]).low, interval_of([0.25]).high) == (0.25, 0.25)


def test_a_difference_that_other_queries_could_turn_round_cannot_be_told() -> None:
    deltas = [0.3, -0.2, 0.1, -0.1, 0.2, -0.1, 0.1, -0.2]
    found = difference([0.5] * 8, [0.5 + delta for delta in deltas])
    assert found.outcome == "unsure"
    assert found.interval.low < 0 < found.interval.high
    assert found.more is not None


@pytest.mark.parametrize(("sign", "outcome"), [(1, "better"), (-1, "worse")])
def test_a_difference_to_one_side_is_told(sign: int, outcome: str) -> None:
    after = [0.5 + sign * delta for delta in (0.1, 0.2, 0.1, 0.3, 0.2, 0.1)]
    assert difference([0.5] * 6, after).outcome == outcome


def test_of_fewer_queries_than_six_that_differ_nothing_is_told() -> None:
    before, after = [0.0] * 10, [0.5] * (LEAST_DIFFERING - 1) + [0.0] * 5
    found = difference(before, after)
    assert found.interval.low > 0, "the bootstrap alone would call it better"
    assert (found.outcome, found.differing) == ("unsure", 5)
    assert found.more == 2, "every other one differs, so that six of twelve do"


def test_what_is_the_same_is_called_the_same() -> None:
    assert difference([0.1, 0.9], [0.1, 0.9]).outcome == "same"


def test_how_many_more_are_needed_follows_the_formula() -> None:
    deltas = [0.2] * 30 + [-0.1] * 30  # mean 0.05, standard deviation 0.15 · sqrt(60 / 59)
    needed = ((1.959964 + 0.841621) * 0.15 * sqrt(60 / 59) / 0.05) ** 2
    assert more_needed(deltas) == pytest.approx(needed - 60, abs=1)
    assert more_needed([0.1, -0.1]) is None


def test_of_several_comparisons_each_has_to_be_surer() -> None:
    before, after = [0.0] * 30, [0.2] * 19 + [-0.2] * 11
    alone, among = difference(before, after), difference(before, after, comparisons=8)
    assert among.interval.low < alone.interval.low
    assert among.interval.high > alone.interval.high


def test_values_that_are_not_paired_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        difference([0.1], [0.1, 0.2])
    with pytest.raises(ValueError, match="no value"):
        interval_of([])
    with pytest.raises(ValueError, match="no trial"):
        share(0, 0)
