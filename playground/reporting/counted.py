"""Which runs a report counts: those of the catalog that were begun in the period, executed here, and not by another run."""

from datetime import date, datetime, time, timedelta

from django.utils import timezone

from catalog.models import Catalog
from playground.models import Run
from playground.models.run import RunQuerySet
from playground.reporting.period import Period


def counted_runs(catalog: Catalog, period: Period) -> RunQuerySet:
    runs: RunQuerySet = Run.objects.filter(catalog=catalog)
    return begun_in(runs.top_level().own(), period.since, period.until).order_by()


def begun_in(runs: RunQuerySet, since: date | None, until: date | None) -> RunQuerySet:
    """Those begun on one of these days, both included; without an end, on any."""
    if since:
        runs = runs.filter(created_at__gte=midnight(since))
    return runs.filter(created_at__lt=midnight(until + timedelta(days=1))) if until else runs


def midnight(day: date) -> datetime:
    """The beginning of a day in the time zone of the site."""
    return timezone.make_aware(datetime.combine(day, time.min))
