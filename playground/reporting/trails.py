"""What searches led to (playground/reviewing/steps.py says when), and how calls of tools went, over many runs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q, TextField, Value
from django.db.models.functions import Cast, StrIndex

from playground.agent.events import CallFinished, ToolsDenied
from playground.models import RunEvent
from playground.models.run import RunQuerySet
from playground.reviewing.recorded_steps import FIELDS, KINDS, Row, steps_by_run
from playground.reviewing.steps import Search, Steps

WENT_WELL = '"outcome": "ok"'
"""In the text of most calls that ended. They are left out by it, as databases parse JSON more slowly than they look for a text."""
AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One search: the event of its answer, what it returned and what it led to calls of, by name."""

    run: UUID
    answer: int
    returned: tuple[str, ...]
    called: frozenset[str]


@dataclass(slots=True)
class Query:
    """The searches for one text. `led` counts those after which the model called a tool that they had returned.

    `empty` counts those that returned nothing. `found` has how often each tool was returned, `called` how often it was
    called afterwards, by name.
    """

    text: str
    times: int = 0
    led: int = 0
    empty: int = 0
    runs: set[UUID] = field(default_factory=set)
    found: Counter[str] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    each: list[Asked] = field(default_factory=list)

    @property
    def nowhere(self) -> int:
        return self.times - self.led


@dataclass(slots=True)
class Tool:
    """A tool as models call it. `found` counts the searches that returned it, `led` those after which it was called.

    `refused` calls were not sent, as the tool was not in view or the arguments were broken; `denied` ones by the policy.
    """

    name: str
    server: str = ""
    found: int = 0
    led: int = 0
    calls: int = 0
    failed: int = 0
    refused: int = 0
    denied: int = 0
    runs: set[UUID] = field(default_factory=set)


@dataclass(slots=True)
class Trails:
    """By the text of the query, by the name of the tool, and for each run its searches and those that led to a call."""

    queries: dict[str, Query] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    by_run: dict[UUID, tuple[int, int]] = field(default_factory=dict)

    @property
    def searches(self) -> int:
        return sum(searches for searches, _ in self.by_run.values())

    @property
    def led(self) -> int:
        return sum(led for _, led in self.by_run.values())

    def count(self, name: str) -> int:
        """Over all tools: calls, failed, refused or denied ones."""
        return sum(getattr(tool, name) for tool in self.tools.values())

    def query(self, text: str) -> Query:
        return self.queries.setdefault(text, Query(text))

    def tool(self, name: str, server: str = "") -> Tool:
        tool = self.tools.setdefault(name, Tool(name))
        tool.server = tool.server or server
        return tool


def trails_of(runs: RunQuerySet) -> Trails:
    trails, told = Trails(), list(_rows(runs))
    for run, steps in steps_by_run(row for row in told if row[2] in KINDS).items():
        _take(trails, run, steps)
    for _, _, kind, body in told:
        _went(trails, kind, body)
    return trails


def _rows(runs: RunQuerySet) -> Iterator[Row]:
    """Of the events that tell it, and no others."""
    well = StrIndex(Cast("body", TextField()), Value(WENT_WELL))
    telling = Q(kind__in=[*KINDS, ToolsDenied.kind]) | Q(kind=CallFinished.kind, well=0)
    rows = RunEvent.objects.alias(well=well).filter(telling, run__in=runs.values("pk"))
    return rows.order_by().values_list(*FIELDS).iterator(AT_ONCE)


def _take(trails: Trails, run: UUID, steps: Steps) -> None:
    for call in steps.calls:
        tool = trails.tool(call.name, call.server)
        tool.calls += 1
        tool.runs.add(run)
    led = sum(_led(trails, run, steps, search) for search in steps.searches)
    if steps.searches:
        trails.by_run[run] = len(steps.searches), led


def _led(trails: Trails, run: UUID, steps: Steps, search: Search) -> bool:
    """Count a search; whether it led to a call."""
    returned = {hit.name: hit.server for hit in search.returned}
    called = {call.name for call in steps.led_by(search)}
    query = trails.query(search.query)
    query.times += 1
    query.led += bool(called)
    query.empty += not returned
    query.runs.add(run)
    query.each.append(Asked(run, search.answer, tuple(returned), frozenset(called)))
    query.found.update(returned.keys())
    query.called.update(called)
    for name, server in returned.items():
        tool = trails.tool(name, server)
        tool.found += 1
        tool.led += name in called
    return bool(called)


def _went(trails: Trails, kind: str, said: Mapping[str, Any]) -> None:
    """That a call failed, was refused, or was denied."""
    match kind, said.get("outcome"):
        case CallFinished.kind, "failed":
            trails.tool(said["tool"]).failed += 1
        case CallFinished.kind, "refused":
            trails.tool(said["tool"]).refused += 1
        case ToolsDenied.kind, _ if said["call_id"]:
            for denial in said["denials"]:
                trails.tool(denial["tool"]).denied += denial["phase"] == "active"
