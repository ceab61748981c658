"""The lists behind a report's numbers: every query of the period, every tool."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalog.tools import ToolSpec
from playground.reporting.in_view import Viewed
from playground.reporting.measures import Measures
from playground.reporting.trails import Asked, Query, Tool, Trails


def queries_in(trails: Trails, led: str, tool: str) -> list[Query]:
    """`led`: `called` (to a call), `nowhere`, `empty` (nothing found) or any. With a tool, those that returned it (and led to it)."""
    found = [one for one in trails.queries.values() if _is_wanted(one, led, tool)]
    if tool:
        return sorted(found, key=lambda one: (-one.found[tool], one.text))
    by = {"nowhere": "nowhere", "empty": "empty", "called": "led"}.get(led, "times")
    return sorted(found, key=lambda one: (-getattr(one, by), one.text))


def _is_wanted(query: Query, led: str, tool: str) -> bool:
    if tool:
        return query.called[tool] > 0 if led == "called" else query.found[tool] > 0
    return {"called": query.led, "nowhere": query.nowhere, "empty": query.empty}.get(led, query.times) > 0


def searches_for(trails: Trails, text: str, led: str, tool: str) -> list[Asked]:
    """One by one, those of a text; `led` and `tool` as above."""
    each = trails.queries[text].each if text in trails.queries else []
    if tool:
        return [one for one in each if tool in (one.called if led == "called" else one.returned)]
    match led:
        case "called":
            return [one for one in each if one.called]
        case "nowhere":
            return [one for one in each if not one.called]
        case "empty":
            return [one for one in each if not one.returned]
    return list(each)


@dataclass(frozen=True, slots=True)
class ToolRow:
    """`spec` is None of a tool that the catalog no longer offers, `viewed` of one that was in no last prompt."""

    tool: Tool
    spec: ToolSpec | None
    viewed: Viewed | None

    @property
    def weight(self) -> int:
        return self.viewed.weight if self.viewed else 0

    @property
    def wrong(self) -> int:
        return self.tool.failed + self.tool.refused + self.tool.denied


def tools_in(made: Measures, offered: Iterable[ToolSpec], which: str) -> list[ToolRow]:
    """`which`: `called`, `wrong` (calls), `weight` (in view, not called), `unused` (offered now, not called) or any."""
    specs, trails, viewed = {spec.name: spec for spec in offered}, made.now.trails, made.now.viewed
    names = dict.fromkeys((*trails.tools, *viewed, *specs))
    rows = [ToolRow(trails.tools.get(name) or Tool(name), specs.get(name), viewed.get(name)) for name in names]
    wanted = [row for row in rows if _is_shown(row, which)]
    if which == "weight":
        return sorted(wanted, key=lambda row: (-row.weight, row.tool.name))
    if which == "wrong":
        return sorted(wanted, key=lambda row: (-row.wrong, row.tool.name))
    return sorted(wanted, key=lambda row: (-row.tool.calls, -row.tool.found, row.tool.name))


def _is_shown(row: ToolRow, which: str) -> bool:
    match which:
        case "called":
            return row.tool.calls > 0
        case "wrong":
            return row.wrong > 0
        case "weight":
            return row.weight > 0 and not row.tool.calls
        case "unused":
            return row.spec is not None and not row.tool.calls
    return True
