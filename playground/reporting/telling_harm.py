"""What hurts, as a section of a report: searches that led nowhere, calls that went wrong, tools in view for nothing, findings."""

from playground.reporting.document import (
    MOST_TOLD,
    Cell,
    Figure,
    Section,
    Table,
    columns,
    count_cell,
    counted,
    more_of,
    number,
)
from playground.reporting.failing import Failing
from playground.reporting.findings import Findings
from playground.reporting.in_view import Viewed
from playground.reporting.links import Links, server_page
from playground.reporting.measures import Measures
from playground.reporting.trails import Query, Trails
from playground.templatetags.run_text import short

WEIGHT = "Runs whose last prompt had it, its tokens there (estimated), and these for all of the runs."


def nowhere_first(trails: Trails) -> list[Query]:
    """Queries that led to no call at least once, those that did so most often first."""
    return sorted((one for one in trails.queries.values() if one.nowhere), key=lambda one: (-one.nowhere, one.text))


def dead_weight(made: Measures) -> list[Viewed]:
    """Tools that stood in last prompts and that no run of the period called, those that took most tokens first."""
    tools = made.now.trails.tools
    unused = (one for one in made.now.viewed.values() if one.name not in tools or not tools[one.name].calls)
    return sorted(unused, key=lambda one: (-one.weight, one.name))


def what_hurts(made: Measures, links: Links, findings: Findings, failing: list[Failing]) -> Section:
    trails, before = made.now.trails, made.before.trails
    nowhere, nowhere_before = trails.searches - trails.led, before.searches - before.led
    figures = (
        Figure(
            number(nowhere),
            counted(nowhere, "search led nowhere", "searches led nowhere"),
            f"of {trails.searches:,}",
            f"{nowhere_before:,} of {before.searches:,} before" if before.searches else "none before",
            links.searches(led="nowhere"),
        ),
        _wrong("failed", "failed", made, links),
        _wrong("refused", "not sent", made, links),
        _wrong("denied", "denied by the policy", made, links),
    )
    tables = (
        _nowhere(trails, links),
        _failed(trails, links),
        _heavy(made, links),
        _ruled(findings, links),
        _unreached(failing),
    )
    return Section("hurts", "What hurts", figures, tuple(table for table in tables if table.rows))


def _wrong(name: str, what: str, made: Measures, links: Links) -> Figure:
    count, before = made.now.trails.count(name), made.before.trails.count(name)
    label = f"{counted(count, 'call')} {what}"
    return Figure(
        number(count), label, before=f"{before:,} before" if before else "none before", address=links.runs(did=name)
    )


def _nowhere(trails: Trails, links: Links) -> Table:
    found = nowhere_first(trails)
    rows = tuple(
        (
            Cell(one.text or "(nothing)", links.runs(query=one.text)),
            count_cell(one.nowhere, links.searches(query=one.text, led="nowhere")),
            count_cell(one.times, links.searches(query=one.text)),
            count_cell(one.empty, links.searches(query=one.text, led="empty")),
        )
        for one in found[:MOST_TOLD]
    )
    heads = columns("Search", "#Led nowhere", "#Asked", "#Found nothing")
    more = more_of(len(found), len(rows), "searches", links.searches(led="nowhere"))
    return Table("nowhere", "Searches that led nowhere", heads, rows, "Every search led to a call.", more=more)


def _failed(trails: Trails, links: Links) -> Table:
    wrong = [tool for tool in trails.tools.values() if tool.failed or tool.refused or tool.denied]
    wrong.sort(key=lambda tool: (-(tool.failed + tool.refused), -tool.denied, tool.name))
    rows = tuple(
        (
            Cell(tool.name, links.runs(did="called", tool=tool.name), "tool"),
            count_cell(tool.failed, links.runs(did="failed", tool=tool.name)),
            count_cell(tool.refused, links.runs(did="refused", tool=tool.name)),
            count_cell(tool.denied, links.runs(did="denied", tool=tool.name)),
            count_cell(tool.calls, links.runs(did="called", tool=tool.name)),
        )
        for tool in wrong[:MOST_TOLD]
    )
    heads = columns("Tool", "#Failed", "#Not sent", "#Denied", "#Sent")
    more = more_of(len(wrong), len(rows), "tools", links.tools(which="wrong"))
    note = "Not sent: the tool was not in view, its arguments were broken, or the policy denied it."
    return Table("failed", "Calls that went wrong", heads, rows, "No call failed.", note, more)


def _heavy(made: Measures, links: Links) -> Table:
    heavy = dead_weight(made)
    rows = tuple(
        (
            Cell(one.name, links.runs(did="viewed", tool=one.name), "tool"),
            count_cell(one.runs, links.runs(did="viewed", tool=one.name)),
            count_cell(one.tokens, links.runs(did="viewed", tool=one.name)),
            Cell(short(one.weight), links.runs(did="viewed", tool=one.name)),
        )
        for one in heavy[:MOST_TOLD]
    )
    heads = columns("Tool", "#Runs", "#Tokens", "#In all")
    more = more_of(len(heavy), len(rows), "tools", links.tools(which="weight"))
    return Table("weight", "In view, and never called", heads, rows, "Every tool in view was called.", WEIGHT, more)


def _ruled(findings: Findings, links: Links) -> Table:
    rows = tuple(
        (
            Cell(one.rule.title, links.findings(one.rule.slug)),
            count_cell(one.times, links.findings(one.rule.slug)),
            count_cell(one.runs, links.runs(did=f"finding-{one.rule.slug}")),
            count_cell(one.runs_before, links.within(links.period.before).runs(did=f"finding-{one.rule.slug}")),
        )
        for one in findings.ruled
    )
    note = f"{findings.unread:,} {counted(findings.unread, 'run')} not read yet." if findings.unread else ""
    return Table(
        "findings", "Findings of runs", columns("Finding", "#Times", "#Runs", "#Runs before"), rows, "None.", note
    )


def _unreached(failing: list[Failing]) -> Table:
    rows = tuple(
        (
            Cell(one.slug, server_page(one.slug)),
            Cell(f"{one.failed:,} of {one.contacts:,}", server_page(one.slug)),
            Cell(one.problem[:200]),
        )
        for one in failing[:MOST_TOLD]
    )
    heads = columns("Server", "#Without an answer", "Why, the last time")
    note = "Of the contacts with each server that are kept."
    return Table("unreached", "Servers that did not answer", heads, rows, "Every server answered.", note)
