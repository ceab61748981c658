"""What the rules of findings found in the runs of a period, as the reading of ended runs has kept it."""

from dataclasses import dataclass

from django.db.models import Count

from catalog.models import Catalog
from playground.models import RunFinding
from playground.models.run import RunQuerySet
from playground.reporting.counted import counted_runs
from playground.reporting.period import Period
from playground.reviewing.finding import Rule
from playground.reviewing.rules import HARMFUL, RULES


@dataclass(frozen=True, slots=True)
class Ruled:
    """Findings of one rule, in how many runs, and in how many of the period before."""

    rule: Rule
    times: int
    runs: int
    runs_before: int


@dataclass(frozen=True, slots=True)
class Findings:
    """By rule, those that mean harm first. `unread` runs of the period have ended and were not read yet."""

    ruled: tuple[Ruled, ...]
    unread: int


def findings_in(catalog: Catalog, period: Period) -> Findings:
    runs = counted_runs(catalog, period)
    now, before = _by_rule(runs), _by_rule(counted_runs(catalog, period.before))
    slugs = sorted((slug for slug in RULES if slug in now), key=lambda slug: (slug not in HARMFUL, -now[slug][1]))
    ruled = tuple(Ruled(RULES[slug], *now[slug], before.get(slug, (0, 0))[1]) for slug in slugs)
    return Findings(ruled, runs.filter(review=None, ended_at__isnull=False).count())


def _by_rule(runs: RunQuerySet) -> dict[str, tuple[int, int]]:
    """Findings and runs by the slug of the rule."""
    rows = RunFinding.objects.filter(run__in=runs.values("pk")).order_by().values_list("rule")
    return {rule: (times, count) for rule, times, count in rows.annotate(Count("pk"), Count("run", distinct=True))}
