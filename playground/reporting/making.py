"""The report of a catalog over a period, made of what was measured."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.indexing import exposure_of
from catalog.models import Catalog
from playground.models import Run
from playground.reporting.changes import Changes, changes_in
from playground.reporting.counted import begun_in
from playground.reporting.document import Report, Section
from playground.reporting.failing import Failing, failing_servers
from playground.reporting.findings import Findings, findings_in
from playground.reporting.links import Links
from playground.reporting.measures import Measures, measured
from playground.reporting.period import Period
from playground.reporting.telling_changes import what_changed
from playground.reporting.telling_harm import what_hurts
from playground.reporting.telling_runs import headline, runs_and_searches, tokens_and_cost
from playground.reporting.telling_tools import Idle, idle_tools, tools_used


@dataclass(frozen=True, slots=True)
class Found:
    """What a report rests on. `nested` and `imported` runs of the period are not counted in it."""

    measures: Measures
    changes: Changes
    failing: list[Failing]
    findings: Findings
    idle: Idle
    nested: int
    imported: int


def find(catalog: Catalog, period: Period) -> Found:
    measures = measured(catalog, period)
    others = begun_in(Run.objects.filter(catalog=catalog), period.since, period.until)
    names = (tool.name for tool in exposure_of(catalog).pool)
    return Found(
        measures,
        changes_in(catalog, period),
        failing_servers(catalog, period),
        findings_in(catalog, period),
        idle_tools(names, measures.now.trails),
        nested=others.exclude(parent=None).count(),
        imported=others.top_level().exclude(imported_from="").count(),
    )


def report_of(found: Found) -> Report:
    made = found.measures
    links = Links(made.catalog.slug, made.period)
    return Report(made.catalog.title, made.period, headline(made, links), tuple(_sections(found, links)), _aside(found))


def _sections(found: Found, links: Links) -> Iterator[Section]:
    """Those that have something to tell."""
    made = found.measures
    if made.now.totals.runs or made.before.totals.runs:
        yield runs_and_searches(made, links)
    if made.now.totals.prompts:
        yield tokens_and_cost(made, links)
    yield what_changed(found.changes, links)
    if made.now.totals.runs or found.failing:
        yield what_hurts(made, links, found.findings, found.failing)
    if made.now.totals.runs:
        yield tools_used(made, links, found.idle)


def _aside(found: Found) -> str:
    told = [
        f"{found.nested:,} that another run started" if found.nested else "",
        f"{found.imported:,} imported from elsewhere" if found.imported else "",
    ]
    runs = " and ".join(filter(None, told))
    return f"Not counted: runs of this catalog, {runs}." if runs else ""
