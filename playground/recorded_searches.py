"""What recorded runs tell of searches: what was asked, and which of the found tools was called afterwards."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from catalog.lint.survey import LedHere
from catalog.linting import Heard
from catalog.whatif.known import Recorded
from playground.agent.events import CallSent, SearchAnswered
from playground.models import Run, RunEvent

MOST_EVENTS = 50_000
"""The latest events that are read: searches and calls of some thousand runs."""

MOST_ASKED = 10_000
"""The latest events of a catalog's runs that a what-if takes its queries from."""


def heard() -> Heard:
    """Of the latest runs. A call counts for the last search of its run that had found the tool."""
    queries: list[str] = []
    led: dict[tuple[str, str], list[LedHere]] = defaultdict(list)
    latest: dict[tuple[str, str], str] = {}
    for run, kind, body in _events():
        if kind == SearchAnswered.kind:
            queries.append(body["query"])
            latest.update({(run, hit["name"]): body["query"] for hit in body["hits"]})
        elif query := latest.get((run, body["tool"])):
            led[body["server"], body["tool"]].append(LedHere(query, run))
    return Heard(queries, led)


def called_after(run: UUID, query: str) -> str:
    """The name of the first tool that the run called after it was found by this query; empty without one."""
    rows = RunEvent.objects.filter(run=run, kind__in=(SearchAnswered.kind, CallSent.kind)).order_by("seq")
    found: set[str] = set()
    for kind, body in rows.values_list("kind", "body"):
        if kind == SearchAnswered.kind and body["query"] == query:
            found.update(hit["name"] for hit in body["hits"])
        elif kind == CallSent.kind and body["tool"] in found:
            return str(body["tool"])
    return ""


def recorded(catalog: int) -> Sequence[Recorded]:
    """The queries of the latest runs of a catalog."""
    newest = _rows(catalog).values_list("pk", flat=True).first()
    return _recorded(catalog, newest, Run.objects.filter(catalog=catalog).count()) if newest else ()


@lru_cache(maxsize=8)
def _recorded(catalog: int, newest: int, runs: int) -> Sequence[Recorded]:
    """As of the newest event, until another is recorded or a run is deleted."""
    times: Counter[str] = Counter()
    called: defaultdict[str, set[str]] = defaultdict(set)
    latest: dict[tuple[str, str], str] = {}
    for run, kind, body in _events(catalog, MOST_ASKED):
        if kind == SearchAnswered.kind:
            times[body["query"]] += 1
            latest.update({(run, hit["name"]): body["query"] for hit in body["hits"]})
        elif query := latest.get((run, body["tool"])):
            called[query].add(body["tool"])
    return tuple(Recorded(query, count, frozenset(called[query])) for query, count in times.items() if query.strip())


def _rows(catalog: int | None) -> QuerySet[RunEvent]:
    rows = RunEvent.objects.filter(kind__in=(SearchAnswered.kind, CallSent.kind)).order_by("-pk")
    return rows if catalog is None else rows.filter(run__catalog=catalog)


def _events(catalog: int | None = None, most: int = MOST_EVENTS) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Run, kind and body, in the order in which they were recorded."""
    latest = list(_rows(catalog).values_list("run_id", "kind", "body")[:most])
    for run, kind, body in reversed(latest):
        yield str(run), kind, body
