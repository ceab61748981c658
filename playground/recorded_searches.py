"""What recorded runs tell of searches: what was asked, and which of the found tools was called afterwards."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
    for run, query, call in _asked(_events()):
        if call is None:
            queries.append(query)
        else:
            led[call["server"], call["tool"]].append(LedHere(query, run))
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
    for _, query, call in _asked(_events(catalog, MOST_ASKED)):
        if call is None:
            times[query] += 1
        else:
            called[query].add(call["tool"])
    return tuple(Recorded(query, count, frozenset(called[query])) for query, count in times.items() if query.strip())


def _asked(events: Iterable[tuple[str, str, dict[str, Any]]]) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
    """The run and the query of each search, and again with each call of a tool that it had found, the last to find it."""
    latest: dict[tuple[str, str], str] = {}
    for run, kind, body in events:
        if kind == SearchAnswered.kind:
            latest.update({(run, hit["name"]): body["query"] for hit in body["hits"]})
            yield run, body["query"], None
        elif query := latest.get((run, body["tool"])):
            yield run, query, body


def _rows(catalog: int | None) -> QuerySet[RunEvent]:
    rows = RunEvent.objects.filter(kind__in=(SearchAnswered.kind, CallSent.kind)).order_by("-pk")
    return rows if catalog is None else rows.filter(run__catalog=catalog)


def _events(catalog: int | None = None, most: int = MOST_EVENTS) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Run, kind and body, in the order in which they were recorded."""
    latest = list(_rows(catalog).values_list("run_id", "kind", "body")[:most])
    for run, kind, body in reversed(latest):
        yield str(run), kind, body
