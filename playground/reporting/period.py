"""The days that a report is about, and the days before them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

MOST_BARS = 31
WEEK = 7


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days in the time zone of the site, both ends included."""

    since: date
    until: date

    @property
    def days(self) -> int:
        return (self.until - self.since).days + 1

    @property
    def before(self) -> "Period":
        """As many days, just before it."""
        return Period(self.since - timedelta(days=self.days), self.since - timedelta(days=1))

    @property
    def step(self) -> int:
        """Days that one bar of a chart stands for: one, or so many weeks that the bars have room."""
        return 1 if self.days <= MOST_BARS else WEEK * -(-self.days // (WEEK * MOST_BARS))

    def parts(self) -> Iterator["Period"]:
        """The period in steps; the first one may be shorter, so that the last one is whole."""
        short = self.days % self.step
        start = self.since
        while start <= self.until:
            end = start + timedelta(days=(short or self.step) - 1)
            yield Period(start, end)
            start, short = end + timedelta(days=1), 0

    def __str__(self) -> str:
        return f"{told(self.since)} to {told(self.until)}" if self.days > 1 else told(self.since)


def last_days(days: int, today: date) -> Period:
    """So many days, today included."""
    return Period(today - timedelta(days=days - 1), today)


def told(day: date) -> str:
    """22 Nov 2026."""
    return f"{day.day} {day:%b %Y}"
