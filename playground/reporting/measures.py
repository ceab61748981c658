"""All that a report tells of runs, and of the period before; kept until something changes of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max

from catalog.models import Catalog
from playground.models.run import RunQuerySet
from playground.reporting.counted import counted_runs
from playground.reporting.in_view import Viewed, viewed_in
from playground.reporting.period import Period
from playground.reporting.totals import RunFigures, Totals, figures_of, totals_of
from playground.reporting.trails import Trails, trails_of

MOST_KEPT = 32


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted of the runs of one period."""

    figures: tuple[RunFigures, ...]
    totals: Totals
    trails: Trails
    viewed: dict[str, Viewed]


@dataclass(frozen=True, slots=True)
class Part:
    """Runs of some days, and their searches. `other` ended otherwise than completed."""

    period: Period
    completed: int
    other: int
    unfinished: int
    led: int
    nowhere: int

    @property
    def runs(self) -> int:
        return self.completed + self.other + self.unfinished

    @property
    def searches(self) -> int:
        return self.led + self.nowhere


@dataclass(frozen=True, slots=True)
class Measures:
    catalog: Catalog
    period: Period
    now: Counted
    before: Counted

    def parts(self) -> Iterator[Part]:
        """The period step by step, in order."""
        by_day: dict[date, list[RunFigures]] = {}
        for row in self.now.figures:
            by_day.setdefault(row.day, []).append(row)
        for part in self.period.parts():
            rows = [row for day, some in by_day.items() if part.since <= day <= part.until for row in some]
            trails = [self.now.trails.by_run.get(row.run, (0, 0)) for row in rows]
            totals, led = totals_of(rows), sum(led for _, led in trails)
            searches = sum(searches for searches, _ in trails)
            other, unfinished = totals.ended - totals.completed, totals.runs - totals.ended
            yield Part(part, totals.completed, other, unfinished, led, searches - led)


def measured(catalog: Catalog, period: Period) -> Measures:
    return Measures(catalog, period, _counted(catalog, period), _counted(catalog, period.before))


_kept: dict[tuple[object, ...], Counted] = {}
"""By catalog, period and the state of its runs; none with runs under way. Changed in one step, so that threads may share it."""


def _counted(catalog: Catalog, period: Period) -> Counted:
    runs = counted_runs(catalog, period)
    key = (catalog.pk, catalog.created_at, period, *_state(runs))
    if (known := _kept.get(key)) is not None:
        return known
    figures = tuple(figures_of(runs))
    counted = Counted(figures, totals_of(figures), trails_of(runs), viewed_in(runs))
    if counted.totals.ended == counted.totals.runs:
        for oldest in list(_kept)[: max(len(_kept) + 1 - MOST_KEPT, 0)]:
            _kept.pop(oldest, None)
        _kept[key] = counted
    return counted


def _state(runs: RunQuerySet) -> tuple[object, ...]:
    """Another as soon as a run comes, ends or is deleted."""
    said = runs.aggregate(count=Count("pk"), newest=Max("created_at"), last=Max("ended_at"))
    return tuple(said.values())
