"""Findings as pages show them: filtered, counted by rule, with the two tools of a pair side by side."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from catalog.indexing import exposure_of
from catalog.lint import RULES
from catalog.lint.side_by_side import Side, side_by_side
from catalog.models import Catalog, Finding, Look, Server, Tool
from catalog.models.finding import FindingQuerySet

PAIRS = ("near-duplicate",)
"""Rules whose evidence is two texts."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with the title of its rule; `sides` are the two tools of a pair, as they are now."""

    finding: Finding
    title: str
    sides: tuple[tuple[Tool, Side], ...]


def shown(findings: Iterable[Finding]) -> Iterator[Shown]:
    for finding in findings:
        yield Shown(finding, RULES[finding.rule].title, _sides(finding))


def for_pages(findings: FindingQuerySet) -> FindingQuerySet:
    """With all that `shown` reads."""
    return findings.prefetch_related("tool__server", "other__server").select_related("by", "tool", "other")


def findings_of(server: Server | None, catalog: Catalog | None) -> FindingQuerySet:
    """The findings of a server's tools and of those that a catalog offers. One of two tools counts where the catalog offers both."""
    found: FindingQuerySet = Finding.objects.here().filter(rule__in=RULES)
    if server is not None:
        found = found.of_server(server)
    return found if catalog is None else found.filter(_within(found, catalog))


def last_look(server: Server | None, catalog: Catalog | None) -> Look | None:
    """The look that is under way; else the last at all that is listed, or, where there was none, the last at any of it."""
    looks = Look.objects.select_related("server", "catalog")
    whole = Q(server=None, catalog=None)
    if server is not None:
        whole |= Q(server=server)
    if catalog is not None:
        whole |= Q(catalog=catalog)
    return looks.filter(ended_at=None).first() or looks.filter(whole).first() or looks.first()


def counts(findings: FindingQuerySet) -> list[tuple[str, str, int]]:
    """Slug, title and number of each rule that found something, in the order of the rules."""
    by_rule = dict(findings.order_by().values_list("rule").annotate(Count("pk")))
    return [(slug, rule.title, by_rule[slug]) for slug, rule in RULES.items() if slug in by_rule]


def _within(findings: FindingQuerySet, catalog: Catalog) -> Q:
    """What a catalog leaves out for its name is a finding of the catalog, too. Of those that count and those that do not, the fewer
    are named: a list of thousands takes longer to ask for than to make."""
    exposure = exposure_of(catalog)
    keys = {tool.key for tool in exposure.pool}
    taken = {out.tool.key for out in exposure.left_out if out.rule == "name taken"}
    names = ("pk", "rule", "tool__server__slug", "tool__name", "other__server__slug", "other__name")
    of_its_servers = Q(tool__server__in=catalog.servers.values("server"))
    counted: list[int] = []
    others: list[int] = []
    for pk, rule, server, name, other_server, other_name in (
        findings.filter(of_its_servers).order_by().values_list(*names)
    ):
        offered = f"{server}/{name}" in (taken if rule == "name-taken" else keys)
        offered = offered and (other_name is None or f"{other_server}/{other_name}" in keys)
        (counted if offered else others).append(pk)
    return Q(pk__in=counted) if len(counted) <= len(others) else of_its_servers & ~Q(pk__in=others)


def _sides(finding: Finding) -> tuple[tuple[Tool, Side], ...]:
    if finding.rule not in PAIRS or finding.other is None:
        return ()
    here, there = side_by_side(finding.tool.to_spec(), finding.other.to_spec())
    return (finding.tool, here), (finding.other, there)
