"""What searches led to, and how calls of tools went; read from the events that tell it, and no others."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q, TextField, Value
from django.db.models.functions import Cast, StrIndex

from playground.agent.events import CallFinished, CallSent, SearchAnswered, ToolsDenied
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.models import RunEvent
from playground.models.run import RunQuerySet

KINDS = [SearchAnswered.kind, CallSent.kind, ToolsDenied.kind]
WENT_WELL = '"outcome": "ok"'
"""In the text of most calls that ended. They are left out by it, as databases parse JSON more slowly than they look for a text."""
AT_ONCE = 5_000


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


@dataclass(frozen=True, slots=True)
class _Step:
    """One event: its kind and its body."""

    kind: str
    said: dict[str, Any]

    @property
    def returned(self) -> dict[str, str]:
        """Of a search: the servers of what the model was given, by name."""
        return {hit["name"]: hit["server"] for hit in self.said["hits"] if not hit["cut_by"]}

    @property
    def may_lead_from(self) -> int:
        """The first turn whose calls a search can have led to. What a provider found, its model may call in the same one."""
        turn: int = self.said["turn"]
        return turn if self.said["engine"] == PROVIDER_SEARCH else turn + 1


def trails_of(runs: RunQuerySet) -> Trails:
    trails = Trails()
    by_run: dict[UUID, list[_Step]] = {}
    for run, step in _rows(runs):
        by_run.setdefault(run, []).append(step)
    for run, steps in by_run.items():
        _take(trails, run, steps)
    return trails


def _rows(runs: RunQuerySet) -> Iterator[tuple[UUID, _Step]]:
    well = StrIndex(Cast("body", TextField()), Value(WENT_WELL))
    ended = Q(kind=CallFinished.kind, well=0)
    telling = RunEvent.objects.alias(well=well).filter(Q(kind__in=KINDS) | ended, run__in=runs.values("pk"))
    for run, kind, body in telling.order_by().values_list("run_id", "kind", "body").iterator(AT_ONCE):
        yield run, _Step(kind, body)


def _take(trails: Trails, run: UUID, steps: Sequence[_Step]) -> None:
    """All the steps of one run, in any order."""
    calls = [step for step in steps if step.kind == CallSent.kind]
    searches = [step for step in steps if step.kind == SearchAnswered.kind]
    for call in calls:
        tool = trails.tool(call.said["tool"], call.said["server"])
        tool.calls += 1
        tool.runs.add(run)
    led = sum(_led(trails, run, search, calls) for search in searches)
    if searches:
        trails.by_run[run] = len(searches), led
    for step in steps:
        _went(trails, step)


def _led(trails: Trails, run: UUID, search: _Step, calls: Iterable[_Step]) -> bool:
    """Count a search; whether one of the calls followed from it."""
    returned = search.returned
    called = {call.said["tool"] for call in calls if call.said["turn"] >= search.may_lead_from} & returned.keys()
    query = trails.query(search.said["query"])
    query.times += 1
    query.led += bool(called)
    query.empty += not returned
    query.runs.add(run)
    query.found.update(returned.keys())
    query.called.update(called)
    for name, server in returned.items():
        tool = trails.tool(name, server)
        tool.found += 1
        tool.led += name in called
    return bool(called)


def _went(trails: Trails, step: _Step) -> None:
    """That a call failed, was refused, or was denied."""
    match step.kind, step.said.get("outcome"):
        case CallFinished.kind, "failed":
            trails.tool(step.said["tool"]).failed += 1
        case CallFinished.kind, "refused":
            trails.tool(step.said["tool"]).refused += 1
        case ToolsDenied.kind, _ if step.said["call_id"]:
            for denial in step.said["denials"]:
                trails.tool(denial["tool"]).denied += denial["phase"] == "active"
