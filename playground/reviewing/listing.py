"""Findings of many runs as pages list them: counted by rule, told together by what they are about."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Max, QuerySet, Sum, When

from catalog.models import Catalog, Tool
from playground.models import RunFinding
from playground.reviewing.finding import Rule
from playground.reviewing.rules import HARMFUL, RULES


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule about the same; `latest` is one of them. `tokens` are those of all, None where none has any."""

    rule: Rule
    subject: str
    times: int
    runs: int
    last: datetime
    tokens: int | None
    latest: RunFinding


def findings_in(catalog: Catalog | None, since: datetime | None, source: str = "") -> QuerySet[RunFinding]:
    found = RunFinding.objects.filter(rule__in=RULES)
    if catalog is not None:
        found = found.filter(run__catalog=catalog)
    if since is not None:
        found = found.filter(run__created_at__gte=since)
    return found.filter(source=source) if source else found


def counts_by_rule(found: QuerySet[RunFinding]) -> list[tuple[Rule, int, int]]:
    """Each rule that found something, with how many findings in how many runs, in the order of the rules."""
    rows = found.order_by().values_list("rule").annotate(Count("pk"), Count("run", distinct=True))
    by_rule = {rule: (findings, runs) for rule, findings, runs in rows}
    return [(RULES[slug], *by_rule[slug]) for slug in RULES if slug in by_rule]


def grouped(found: QuerySet[RunFinding]) -> QuerySet[RunFinding, Any]:
    """Rule and subject with their figures, harm first, then those of most runs: to be cut into pages before they are read."""
    rows = found.order_by().values("rule", "subject")
    figured = rows.annotate(
        times=Count("pk"),
        runs=Count("run", distinct=True),
        last=Max("run__created_at"),
        whole=Sum("tokens"),
        latest=Max("pk"),
        mild=Case(When(rule__in=HARMFUL, then=0), default=1),
    )
    return figured.order_by("mild", "-runs", "-times", "rule", "subject")


def editable_tools(findings: Iterable[RunFinding]) -> set[str]:
    """Of the tools that are right by these findings, the keys of those that are here now, the first of each."""
    right = {finding.right[0] for finding in findings if finding.right}
    if not right:
        return right
    rows = Tool.objects.here().select_related("server").filter(name__in={key.partition("/")[2] for key in right})
    return right.intersection(map(str, rows))


def groups_of(rows: Sequence[dict[str, Any]]) -> Iterator[Group]:
    """A page of what was grouped."""
    latest = RunFinding.objects.select_related("run__catalog", "search").in_bulk([row["latest"] for row in rows])
    for row in rows:
        one = latest.get(row["latest"])
        if one is not None:
            figures = (row["times"], row["runs"], row["last"], row["whole"])
            yield Group(RULES[one.rule], one.subject, *figures, one)
