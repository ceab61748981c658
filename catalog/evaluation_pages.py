"""Evaluations as pages show them: queries from the worst, tags apart, a history with what changed between, engines side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from catalog.auditing.acts import Act
from catalog.evaluating.changes import Measured, compared
from catalog.evaluating.charts import Chart, Point, chart_of
from catalog.evaluating.metrics import DEPTH, MEANINGS
from catalog.evaluating.statistics import Difference, Interval, interval_of
from catalog.evaluations import measured
from catalog.forms.engine_settings import asked_settings
from catalog.models import AuditEntry, CatalogVersion, Evaluation
from catalog.search import ENGINES
from catalog.search.settings import written

MOST_IN_HISTORY, MOST_TAGS, MOST_TOLD = 60, 20, 3
CHANGING = (Act.TOOL_EDITED, Act.TOOL_BROUGHT_IN, Act.DRIFT_ACCEPTED, Act.BULK_APPLIED, Act.CATALOG_EDITED)
"""Acts in the audit that may change what a search finds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric with what it measures, and the mean with its interval."""

    name: str
    meaning: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class Between:
    """An evaluation in a history, and what was changed since the one before it, in words."""

    evaluation: Evaluation
    interval: Interval
    changes: tuple[str, ...]
    breaks: bool

    @property
    def annotation(self) -> str:
        """A person's note, else what was changed, in one line."""
        return self.evaluation.note or "; ".join(self.changes)


@dataclass(frozen=True, slots=True)
class Rival:
    """An engine of a bake-off: its figures, and how it differs from the best by the metric; None for the best itself."""

    evaluation: Evaluation
    figures: list[Figure]
    interval: Interval
    against_best: Difference | None


def engine_said(evaluation: Evaluation) -> str:
    """The engine with what is changed of its settings."""
    if evaluation.engine not in ENGINES:
        return evaluation.engine
    return asked_settings(evaluation.engine, evaluation.settings, {}).said


def figures_of(evaluation: Evaluation) -> list[Figure]:
    return [Figure(name, MEANINGS[name], Interval(**told)) for name, told in evaluation.figures.items()]


def interval_by(evaluation: Evaluation, metric: str) -> Interval:
    return Interval(**evaluation.figures[metric])


def worst_first(found: Iterable[Measured], metric: str) -> list[Measured]:
    return sorted(found, key=lambda one: (one.figures[metric], -(one.best_rank or DEPTH * 100)))


def by_tag(found: Sequence[Measured], metric: str) -> list[tuple[str, int, Interval]]:
    """The most frequent tags, each with how many queries have it and their mean."""
    counts = Counter(tag for one in found for tag in one.tags)
    return [
        (tag, count, interval_of([one.figures[metric] for one in found if tag in one.tags]))
        for tag, count in counts.most_common(MOST_TAGS)
    ]


def search_address(evaluation: Evaluation, query: str) -> str:
    """The search page, where the engine explains its answer on the same edition."""
    asked = {"catalog": evaluation.catalog.slug, "version": evaluation.asked, "q": query, "k": DEPTH}
    settings = {f"{evaluation.engine}.{name}": written(value) for name, value in evaluation.settings.items()}
    return f"{reverse('search')}?{urlencode({**asked, 'engine': evaluation.engine, **settings})}"


def history(rows: Sequence[Evaluation], metric: str, *, with_audit: bool) -> list[Between]:
    """The rows from the oldest, each with what came between; the audit only for who may read it."""
    found: list[Between] = []
    last: Evaluation | None = None
    for row in sorted(rows, key=lambda one: (one.created_at, one.pk)):
        told = list(_between(last, row, with_audit=with_audit)) if last else []
        breaks = last is not None and last.content.pk != row.content.pk
        found.append(Between(row, interval_by(row, metric), tuple(told), breaks))
        last = row
    return found


def drawn(told: Sequence[Between]) -> Chart:
    """A line for each engine, with its settings, on each catalog. Raises ValueError on none."""
    several = len({one.evaluation.catalog.pk for one in told}) > 1
    return chart_of(
        [
            Point(
                one.evaluation.pk,
                engine_said(one.evaluation) + (f" on {one.evaluation.catalog.title}" if several else ""),
                one.interval,
                one.breaks,
            )
            for one in told
        ]
    )


def rivals(rows: Sequence[Evaluation], metric: str) -> list[Rival]:
    """From the best by the metric; each other is compared with it, surely enough for as many comparisons."""
    order = sorted(rows, key=lambda row: -row.figures[metric]["mean"])
    if not order:
        return []
    best, others = measured(order[0]), len(order) - 1
    return [
        Rival(
            row,
            figures_of(row),
            interval_by(row, metric),
            compared(best, measured(row), metric, others) if row is not order[0] else None,
        )
        for row in order
    ]


def _between(last: Evaluation, row: Evaluation, *, with_audit: bool) -> Iterator[str]:
    if last.content.pk != row.content.pk:
        yield f"the suite was changed (state {row.suite_revision:,})"
    if row.created_at == last.created_at:
        return
    for version in _versions(row, last.created_at):
        yield f"v{version.number}: {version.note}" if version.note else f"v{version.number}"
    if with_audit and row.begun_with_id != last.begun_with_id:
        yield from _acts(last.created_at, row.created_at)


def _versions(row: Evaluation, since: datetime) -> Iterable[CatalogVersion]:
    return row.catalog.versions.filter(at__gt=since, at__lte=row.created_at).order_by("number")[:MOST_TOLD]


def _acts(since: datetime, until: datetime) -> Iterator[str]:
    found = AuditEntry.objects.filter(act__in=CHANGING, at__gt=since, at__lte=until).order_by("pk")
    told = list(dict.fromkeys(f"{Act(entry.act).label} {entry.name}".strip() for entry in found[:100]))
    yield from told[:MOST_TOLD]
    if len(told) > MOST_TOLD:
        yield f"and {len(told) - MOST_TOLD:,} more changes of tools"
