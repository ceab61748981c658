"""The days of a report, and shares that say no more than their counts bear."""

import itertools
from datetime import date

import pytest

from playground.reporting.period import Period, last_days
from playground.reporting.shares import Share


def test_a_period_is_compared_with_as_many_days_before_it() -> None:
    period = last_days(7, date(2026, 12, 7))
    assert (period.since, period.days) == (date(2026, 12, 1), 7)
    assert period.before == Period(date(2026, 11, 24), date(2026, 11, 30))


@pytest.mark.parametrize(("days", "bars"), [(1, 1), (30, 30), (31, 31), (32, 5), (90, 13), (365, 27)])
def test_the_parts_of_a_period_are_its_days_without_a_gap(days: int, bars: int) -> None:
    period = last_days(days, date(2026, 12, 31))
    parts = list(period.parts())
    assert len(parts) == bars
    assert (parts[0].since, parts[-1].until) == (period.since, period.until)
    assert all((after.since - before.until).days == 1 for before, after in itertools.pairwise(parts))
    assert all(part.days == period.step for part in parts[1:])


@pytest.mark.parametrize(
    ("part", "whole", "told", "caveat"),
    [
        (0, 0, "none", ""),
        (5, 7, "5 of 7", "too few for a percentage"),
        (19, 19, "19 of 19", "too few for a percentage"),
        (50, 100, "50 %", "50 of 100; 95 % interval 40–60 %"),
        (0, 20, "0 %", "0 of 20; 95 % interval 0–16 %"),
        (9_999, 10_000, "99 %", "9,999 of 10,000; 95 % interval 100–100 %"),
    ],
)
def test_a_share_is_told_as_far_as_it_bears(part: int, whole: int, told: str, caveat: str) -> None:
    assert (str(Share(part, whole)), Share(part, whole).caveat) == (told, caveat)


@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        (Share(90, 100), Share(50, 100), "50 % before, more"),
        (Share(50, 100), Share(90, 100), "90 % before, less"),
        (Share(50, 100), Share(55, 100), "55 % before, no clear change"),
        (Share(50, 100), Share(3, 4), "3 of 4 before"),
        (Share(3, 4), Share(50, 100), "50 of 100 before"),
        (Share(3, 4), Share(0, 0), "none before"),
    ],
)
def test_a_share_is_called_another_than_before_only_where_the_intervals_do_not_meet(
    now: Share, before: Share, told: str
) -> None:
    assert now.against(before) == told
