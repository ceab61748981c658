"""Which tools were used, as a section of a report."""

from collections.abc import Iterable
from dataclasses import dataclass

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
from playground.reporting.links import Links
from playground.reporting.measures import Measures
from playground.reporting.trails import Tool, Trails


@dataclass(frozen=True, slots=True)
class Idle:
    """Names of the catalog's tools that no run called, and of these those that no search returned."""

    names: tuple[str, ...]
    never_found: int
    tools: int


def idle_tools(names: Iterable[str], trails: Trails) -> Idle:
    """`names` are those of the tools that the catalog offers now."""
    every = tuple(names)
    idle = tuple(name for name in every if name not in trails.tools or not trails.tools[name].calls)
    found = sum(name in trails.tools and trails.tools[name].found > 0 for name in idle)
    return Idle(idle, len(idle) - found, len(every))


def tools_used(made: Measures, links: Links, idle: Idle) -> Section:
    trails = made.now.trails
    used, calls = [tool for tool in trails.tools.values() if tool.calls], trails.count("calls")
    note = f"of {idle.tools:,} that the catalog offers now; no search returned {idle.never_found:,} of them"
    figures = (
        Figure(number(calls), counted(calls, "call of a tool", "calls of tools"), address=links.runs(did="called")),
        Figure(
            number(len(used)),
            counted(len(used), "tool was called", "tools were called"),
            address=links.tools(which="called"),
        ),
        Figure(
            number(len(idle.names)),
            counted(len(idle.names), "tool was not called", "tools were not called"),
            note,
            address=links.tools(which="unused"),
        ),
    )
    return Section("tools", "Tools", figures, (_used(used, links),))


def _used(used: list[Tool], links: Links) -> Table:
    used = sorted(used, key=lambda tool: (-tool.calls, tool.name))
    rows = tuple(tool_row(tool, links) for tool in used[:MOST_TOLD])
    more = more_of(len(used), len(rows), "tools", links.tools(which="called"))
    return Table("used", "Most called", TOOL_COLUMNS, rows, "No tool was called.", more=more)


TOOL_COLUMNS = columns("Tool", "#Calls", "#Runs", "#Failed", "#Found by searches", "#Called after them")


def tool_row(tool: Tool, links: Links) -> tuple[Cell, ...]:
    """A row under TOOL_COLUMNS."""
    called = links.runs(did="called", tool=tool.name)
    return (
        Cell(tool.name, called, "tool"),
        count_cell(tool.calls, called),
        count_cell(len(tool.runs), called),
        count_cell(tool.failed, links.runs(did="failed", tool=tool.name)),
        count_cell(tool.found, links.searches(tool=tool.name)),
        count_cell(tool.led, links.searches(tool=tool.name, led="called")),
    )
