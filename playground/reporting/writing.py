"""A report written out: Markdown to read, CSV of one table, JSON of all that was counted."""

import csv
from collections.abc import Iterator
from dataclasses import asdict
from io import StringIO
from typing import Any

from catalog.invisible import cleaned
from playground.reporting.document import Cell, Figure, Report, Section, Table
from playground.reporting.making import Found
from playground.reporting.measures import Counted, Measures
from playground.reporting.telling_harm import dead_weight

FORMAT, VERSION = "pegboard-report", 1
STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula if a cell began with it."""


def markdown(report: Report, site: str) -> str:
    """`site` is the address that links begin with."""
    return "\n".join(_lines(report, site)) + "\n"


def _lines(report: Report, site: str) -> Iterator[str]:
    yield f"# {_escaped(report.catalog)}: {report.period}"
    yield ""
    yield "; ".join(_linked(cell, site) for cell in report.headline) + "."
    if report.aside:
        yield f"\n{report.aside}"
    for section in report.sections:
        yield from _section(section, site)


def _section(section: Section, site: str) -> Iterator[str]:
    yield f"\n## {section.title}\n"
    for figure in section.figures:
        yield f"- {_figure(figure, site)}"
    if section.note:
        yield f"\n{section.note}"
    for table in section.tables:
        yield from _table(table, site)


def _figure(figure: Figure, site: str) -> str:
    beside = "; ".join(filter(None, [figure.note, figure.before]))
    linked = _linked(Cell(figure.value, figure.address), site)
    return f"**{linked}** {figure.label}" + (f" ({beside})" if beside else "")


def _table(table: Table, site: str) -> Iterator[str]:
    yield f"\n### {table.title}\n"
    if not table.rows:
        yield table.empty
        return
    yield "| " + " | ".join(column.title for column in table.columns) + " |"
    yield "| " + " | ".join("---:" if column.is_number else "---" for column in table.columns) + " |"
    for row in table.rows:
        yield "| " + " | ".join(_linked(cell, site) for cell in row) + " |"
    for after in (table.note, _linked(table.more, site) if table.more else ""):
        if after:
            yield f"\n{after}"


def _linked(cell: Cell, site: str) -> str:
    text = _escaped(cell.text)
    if not cell.address or cell.address.startswith("#"):
        return text
    return f"[{text}]({site}{cell.address})"


def _escaped(text: str) -> str:
    """One line in which nothing is markup."""
    line = " ".join(cleaned(text).split())
    return "".join(f"\\{one}" if one in "\\`*_{}[]()<>#|~!&" else one for one in line)


def table_csv(table: Table) -> str:
    """Texts that a spreadsheet would compute begin with an apostrophe."""
    written = StringIO()
    rows = csv.writer(written)
    rows.writerow(column.title for column in table.columns)
    for row in table.rows:
        rows.writerow(_harmless(cell.text) for cell in row)
    return written.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(STARTS_A_FORMULA) else text


def to_json(found: Found, report: Report) -> dict[str, Any]:
    """As docs/reports.md tells it."""
    made, changes = found.measures, found.changes
    before = made.period.before
    return {
        "format": FORMAT,
        "version": VERSION,
        "catalog": {"slug": made.catalog.slug, "title": made.catalog.title},
        "since": made.period.since.isoformat(),
        "until": made.period.until.isoformat(),
        "headline": "; ".join(cell.text for cell in report.headline),
        "runs": _counted(made.now),
        "before": {"since": before.since.isoformat(), "until": before.until.isoformat(), **_counted(made.before)},
        "not_counted": {"nested": found.nested, "imported": found.imported},
        "by_day": [_part(part) for part in made.parts()],
        "queries": [
            {"text": one.text, "asked": one.times, "led": one.led, "empty": one.empty, "runs": len(one.runs)}
            for one in sorted(made.now.trails.queries.values(), key=lambda one: (-one.times, one.text))
        ],
        "tools": _tools(made),
        "tools_in_view_never_called": [
            {"name": one.name, "server": one.server, "runs": one.runs, "tokens": one.tokens}
            for one in dead_weight(made)
        ],
        "tools_not_called": list(found.idle.names),
        "changes": {
            "versions": [
                {"number": version.number, "at": version.at.isoformat(), "note": version.note, "changes": summary.count}
                for version, summary in changes.versions
            ],
            "servers_added": list(changes.servers_added),
            "servers_gone": list(changes.servers_gone),
            "drift": dict(changes.drift_states),
            "edits": changes.edits,
        },
        "findings": [
            {"rule": one.rule.slug, "times": one.times, "runs": one.runs, "runs_before": one.runs_before}
            for one in found.findings.ruled
        ],
        "servers_without_an_answer": [asdict(one) for one in found.failing],
    }


def _counted(counted: Counted) -> dict[str, Any]:
    totals, trails = counted.totals, counted.trails
    return {
        "count": totals.runs,
        "outcomes": dict(totals.outcomes),
        "searches": trails.searches,
        "searches_that_led_to_a_call": trails.led,
        "runs_that_searched": totals.searching,
        "calls": {name: trails.count(name) for name in ("calls", "failed", "refused", "denied")},
        "tokens": {"prompts": totals.prompts, "of_tools": totals.tokens, "of_every_tool": totals.tokens_all},
        "provider": {"runs": totals.told_cache, "prompt_tokens": totals.read, "cached_tokens": totals.cached},
        "dollars": {
            "runs": totals.priced,
            "free_runs": totals.free,
            "cost": totals.cost,
            "every_tool": totals.cost_all,
        },
    }


def _part(part: Any) -> dict[str, Any]:
    days = {"since": part.period.since.isoformat(), "until": part.period.until.isoformat()}
    return {**days, **{name: getattr(part, name) for name in ("completed", "other", "unfinished", "led", "nowhere")}}


def _tools(made: Measures) -> list[dict[str, Any]]:
    names = ("name", "server", "calls", "failed", "refused", "denied", "found", "led")
    tools = sorted(made.now.trails.tools.values(), key=lambda tool: (-tool.calls, tool.name))
    return [{name: getattr(tool, name) for name in names} | {"runs": len(tool.runs)} for tool in tools]
