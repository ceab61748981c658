"""Runs that are older than PEGBOARD_RUN_DAYS go, unless they bear the tag `keep`."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from catalog.repeating import repeat
from playground.models import Run, Thread
from playground.models.run_tag import KEEP
from playground.runs.database import write
from playground.runs.deleting import delete_runs

LOOK_EVERY = 3600.0
AT_ONCE = 100
"""Threads of one transaction."""


def delete_old() -> int:
    """Delete the runs of up to AT_ONCE threads in which nothing was begun or imported in the days that are kept; how many.

    A thread goes after those forked from it, and stays while one of its runs is kept.
    """
    if not settings.PEGBOARD_RUN_DAYS:
        return 0
    before = timezone.now() - timedelta(days=settings.PEGBOARD_RUN_DAYS)
    threads = Thread.objects.filter(runs__parent=None).annotate(last=Max("runs__created_at")).filter(last__lt=before)
    imported = Thread.objects.filter(created_at__gte=before, runs__in=Run.objects.exclude(imported_from=""))
    threads = threads.exclude(pk__in=imported.values("pk"))
    threads = threads.exclude(runs__tags__name=KEEP).exclude(runs__in=Run.objects.unfinished())
    threads = threads.exclude(pk__in=Thread.objects.exclude(forked_from=None).values("forked_from__thread"))
    oldest = list(threads.order_by("last").values_list("pk", flat=True)[:AT_ONCE])
    return len(delete_runs(Run.objects.filter(thread__in=oldest).values_list("pk", flat=True)).runs)


async def keep_deleting() -> None:
    """At the start, then every hour."""
    await repeat(_delete_all_old, LOOK_EVERY, "old runs could not be deleted", at_once=True)


async def _delete_all_old() -> None:
    while await write(delete_old):
        pass
