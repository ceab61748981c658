"""Runs nested in runs: those above a run, and those below."""

from collections.abc import Iterator
from uuid import UUID

from playground.models import Run

MOST_DEPTH = 3
"""Runs that one run may be nested in."""


def ancestors(run: Run) -> list[Run]:
    """The run that this one is nested in, then the one that that is nested in, to the top."""
    return list(_upwards(run))


def descendants(run_id: UUID) -> list[Run]:
    """Every run nested in this one, at any depth: nearer ones first, and in the order begun."""
    found: list[Run] = []
    parents = [run_id]
    while parents:
        below = list(Run.objects.filter(parent__in=parents).select_related("agent").order_by("created_at"))
        found += below
        parents = [run.pk for run in below]
    return found


def _upwards(run: Run) -> Iterator[Run]:
    related = Run.objects.select_related("catalog", "chat_model", "agent")
    while run.parent_id is not None:
        run = related.get(pk=run.parent_id)
        yield run
