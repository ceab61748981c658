"""What recorded runs tell of searches: what was asked, and which tools it led to (playground/reviewing/steps.py says when)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from uuid import UUID

from django.db.models import QuerySet

from catalog.lint.survey import LedHere
from catalog.linting import Heard
from catalog.whatif.known import Recorded
from playground.models import Run, RunEvent
from playground.reviewing.recorded_steps import FIELDS, KINDS, steps_by_run
from playground.reviewing.steps import Call, Search, Steps

MOST_EVENTS = 50_000
"""The latest events that are read: searches and calls of some thousand runs."""

MOST_ASKED = 10_000
"""The latest events of a catalog's runs that a what-if takes its queries from."""


def heard() -> Heard:
    """Of the latest runs."""
    queries: list[str] = []
    led: dict[tuple[str, str], list[LedHere]] = defaultdict(list)
    for run, steps in _latest(_rows(), MOST_EVENTS):
        queries += [search.query for search in steps.searches]
        for search, call in _led(steps):
            led[call.server, call.name].append(LedHere(search.query, str(run)))
    return Heard(queries, led)


def called_after(run: UUID, query: str) -> str:
    """The name of the first tool that a search of the run for this query led to a call of; empty without one."""
    for _, steps in _latest(_rows().filter(run=run), MOST_EVENTS):
        return next((call.name for search, call in _led(steps) if search.query == query), "")
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
    for _, steps in _latest(_rows(catalog), MOST_ASKED):
        times.update(search.query for search in steps.searches)
        for search, call in _led(steps):
            called[search.query].add(call.name)
    return tuple(Recorded(query, count, frozenset(called[query])) for query, count in times.items() if query.strip())


def _led(steps: Steps) -> Iterator[tuple[Search, Call]]:
    """Each call that a search led to, with the search."""
    for call in steps.calls:
        if search := steps.behind(call, call.key):
            yield search, call


def _rows(catalog: int | None = None) -> QuerySet[RunEvent]:
    """The newest first."""
    rows = RunEvent.objects.filter(kind__in=KINDS).order_by("-pk")
    return rows if catalog is None else rows.filter(run__catalog=catalog)


def _latest(rows: QuerySet[RunEvent], most: int) -> Iterator[tuple[UUID, Steps]]:
    """The runs of the first so many rows, the oldest first."""
    yield from steps_by_run(reversed(rows.values_list(*FIELDS)[:most])).items()
