"""Work on rows that a process left behind when it ended: imports, edits of many tools, looks of lint, evaluations. All are told alike.

Each is written whole or not at all, so that nothing but its row has to be mended.
"""

import asyncio
from functools import partial
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from catalog.models import BulkEdit, Evaluation, Import, Look
from catalog.owners import is_alive
from catalog.repeating import repeat

Left = TypeVar("Left", Import, BulkEdit, Look, Evaluation)
LOOK_EVERY = 5.0
PROCESS_ENDED = "The process that worked on it ended."
NOTHING_CHANGED = f"{PROCESS_ENDED} Nothing was changed; start the import again."


def end_leftovers() -> int:
    """End what no living process works on; how many. An edit goes back to where it was begun, and can be begun again."""
    now, importing, editing = timezone.now(), Import.State, BulkEdit.State
    moving = _dead(Import.objects.filter(state__in=[importing.READING, importing.APPLYING]))
    indexing = _dead(Import.objects.filter(state=importing.APPLIED).exclude(step=""))
    applying = _dead(BulkEdit.objects.filter(state=editing.APPLYING))
    undoing = _dead(BulkEdit.objects.filter(state=editing.UNDOING))
    looks = _dead(Look.objects.filter(ended_at=None))
    measuring = _dead(Evaluation.objects.filter(state__in=[Evaluation.State.WAITING, Evaluation.State.RUNNING]))
    ended = [
        moving.update(state=importing.FAILED, error=NOTHING_CHANGED, ended_at=now),
        indexing.update(step=""),
        applying.update(state=editing.PLANNED, problem=PROCESS_ENDED),
        undoing.update(state=editing.APPLIED, problem=PROCESS_ENDED),
        looks.update(ended_at=now, problem=PROCESS_ENDED),
        measuring.update(state=Evaluation.State.FAILED, ended_at=now, problem=f"{PROCESS_ENDED} Measure it again."),
    ]
    return sum(ended)


async def keep_ending() -> None:
    """As long as the process serves: of several processes on one state folder another may end."""
    await repeat(partial(asyncio.to_thread, end_leftovers), LOOK_EVERY, "what was left behind could not be looked for")


def _dead(rows: QuerySet[Left]) -> QuerySet[Left]:
    """Those whose owner is dead, or that have none."""
    owners = rows.order_by().values_list("owner", flat=True).distinct()
    return rows.filter(owner__in=[owner for owner in owners if not owner or not is_alive(owner)])
