"""Showing lanes: differences without their sign, and the summary as a table in Markdown."""

from collections.abc import Iterator

from django.template import Library

from playground.exports.markdown import inline
from playground.runs.lane_state import Figures
from playground.runs.lane_summary import Cell, LaneSummary, Row
from playground.templatetags.run_text import dollars, duration

register = Library()


@register.filter
def unsigned(number: int) -> int:
    return abs(number)


@register.filter
def lanes_markdown(summary: LaneSummary) -> str:
    """A row a measure and a column a lane; titles are strangers' texts."""
    heads = [f"{place}. {inline(title)}" for place, title in summary.heads]
    calls = [f"{figures.ok} went well, {figures.failed} failed" for _, figures in summary.lanes]
    rows = [
        ["", *heads],
        ["---"] * (len(heads) + 1),
        ["Success", *(_outcome(figures) for _, figures in summary.lanes)],
        *([row.title, *_cells(row)] for row in summary.rows),
        ["Calls", *calls],
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _cells(row: Row) -> Iterator[str]:
    for cell in row.cells:
        against = "" if cell.percent is None else f" ({cell.percent:+,} %)"
        yield f"{_value(row, cell)}{against}{f', {cell.best}' if cell.best else ''}"


def _value(row: Row, cell: Cell) -> str:
    if row.measure == "cost":
        return "free" if cell.figures.is_free else "no price known" if cell.value is None else dollars(cell.value)
    if row.measure == "seconds":
        return duration(cell.value)
    return f"{cell.value or 0:,}"


def _outcome(figures: Figures) -> str:
    """How it ended, and how many of the expected calls were made and went well."""
    word = "success" if figures.is_success else figures.status
    return f"{word}, {figures.met} of {figures.expected} expected calls" if figures.expected else word
