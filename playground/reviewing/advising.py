"""Advice on a catalog's pre-discovered tools from its recorded runs, and what a list of it would change."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from catalog.exposure import SPECIAL_CATEGORIES
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.prompt_size import estimate_tool
from catalog.tools import ToolSpec
from playground.models import Run
from playground.reviewing.advice import Advice, Lists, advise
from playground.reviewing.kept_trails import RunTrail, run_trails
from playground.reviewing.spent import Spent, spent_on

MOST_KEPT = 8
_kept: dict[Hashable, Advice | None] = {}


@dataclass(frozen=True, slots=True)
class Advised:
    """`trails` are of the runs that it rests on, `without` counts those that hid no tool, or none that could be found.

    `tools` are those of the catalog that a run needed or that are on the list now, by key; `lists` what lists may hold.
    `advice` is None where there are too few runs.
    """

    advice: Advice | None
    trails: tuple[RunTrail, ...]
    without: int
    spent: tuple[Spent[Run], ...]
    tools: Mapping[str, ToolSpec]
    lists: Lists


@dataclass(frozen=True, slots=True)
class Change:
    """Of a plan: a tool that comes or goes, its tokens each turn, and what was spent on finding it."""

    tool: ToolSpec
    tokens: int
    spent: Spent[Run] | None


@dataclass(frozen=True, slots=True)
class Plan:
    added: tuple[Change, ...]
    withdrawn: tuple[Change, ...]
    kept: tuple[Change, ...]

    @property
    def tokens(self) -> int:
        """What each turn's tools cost more, or less where it is negative."""
        return sum(change.tokens for change in self.added) - sum(change.tokens for change in self.withdrawn)


def advised_for(catalog: Catalog, since: datetime | None, cached: float, turn_worth: float) -> Advised:
    """The catalog with its parts loaded."""
    read = run_trails(catalog, since)
    trails = [one for one in read if one.trail.hid]
    spent = spent_on([(one.run, one.trail) for one in trails])
    lists, tools = _lists(catalog, [one.tool for one in spent])
    advice = _advice(trails, lists, cached, turn_worth)
    return Advised(advice, tuple(trails), len(read) - len(trails), tuple(spent), tools, lists)


def plan_of(advised: Advised, pins: frozenset[str]) -> Plan:
    """What makes the present list that one."""
    present, spent = advised.lists.present, {one.tool: one for one in advised.spent}

    def changes(keys: frozenset[str]) -> tuple[Change, ...]:
        found = (Change(advised.tools[key], advised.lists.prices[key], spent.get(key)) for key in sorted(keys))
        return tuple(sorted(found, key=lambda one: -len(one.spent.needs) if one.spent else 0))

    return Plan(changes(pins - present), changes(present - pins), changes(pins & present))


def _advice(trails: Sequence[RunTrail], lists: Lists, cached: float, turn_worth: float) -> Advice | None:
    """Kept for a while: who tries one list after another asks for it again and again, and it takes up to seconds."""
    runs = tuple(one.run.pk for one in trails)
    key = runs, tuple(lists.prices.items()), lists.present, lists.fixed, cached, turn_worth
    if key in _kept:
        return _kept[key]
    advice = _kept[key] = advise([one.trail for one in trails], lists, cached, turn_worth)
    while len(_kept) > MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    return advice


def _lists(catalog: Catalog, needed: Sequence[str]) -> tuple[Lists, Mapping[str, ToolSpec]]:
    """Always in view are tools of special categories, which no list changes; one that searches do not find stays."""
    pool = exposure_of(catalog).pool
    chosen = {str(row.tool) for row in catalog.pre_discovered.all()}
    wanted = chosen | {*needed}
    tools = {tool.key: tool for tool in pool if tool.key in wanted and tool.category not in SPECIAL_CATEGORIES}
    present = chosen & tools.keys()
    fixed = frozenset(key for key in present if not tools[key].searchable)
    prices = {key: estimate_tool(tool) for key, tool in tools.items()}
    return Lists(prices, frozenset(present - fixed), fixed), tools
