"""Runs whose process is gone: found, and ended as interrupted. None is ever executed a second time."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from django.utils import timezone

from catalog.owners import is_alive
from catalog.redaction import Redactor
from catalog.repeating import repeat
from playground.agent.events import RunEnded
from playground.models import Run
from playground.runs.appending import Addition, RunIsOverError, append
from playground.runs.database import write

SWEEP_EVERY = 5.0
ORPHANED = RunEnded("interrupted", "The process that ran it ended.")


def interrupt_orphans() -> int:
    """End every unfinished run whose owner is dead, or that has none; how many. Of several processes that do it, one succeeds."""
    unfinished = Run.objects.unfinished().order_by()
    dead = [
        owner for owner in unfinished.values_list("owner", flat=True).distinct() if not owner or not is_alive(owner)
    ]
    return sum(_interrupt(run_id) for run_id in list(unfinished.filter(owner__in=dead).values_list("pk", flat=True)))


async def keep_sweeping() -> None:
    await repeat(partial(write, interrupt_orphans), SWEEP_EVERY, "runs that were left behind could not be looked for")


def _interrupt(run_id: UUID) -> bool:
    with suppress(RunIsOverError):
        append(Addition(run_id, [(timezone.now(), ORPHANED)], Redactor()))
        return True
    return False
