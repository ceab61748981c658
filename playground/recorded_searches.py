"""What recorded runs tell of searches: what was asked, and which of the found tools was called afterwards."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from catalog.lint.survey import LedHere
from catalog.linting import Heard
from playground.agent.events import CallSent, SearchAnswered
from playground.models import RunEvent

MOST_EVENTS = 50_000
"""The latest events that are read: searches and calls of some thousand runs."""


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


def _events() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Run, kind and body, in the order in which they were recorded."""
    rows = RunEvent.objects.filter(kind__in=(SearchAnswered.kind, CallSent.kind)).order_by("-pk")
    latest = list(rows.values_list("run_id", "kind", "body")[:MOST_EVENTS])
    for run, kind, body in reversed(latest):
        yield str(run), kind, body
