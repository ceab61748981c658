"""Deleting runs for good: which can go, which stay and why, and the deletion itself.

A run takes the runs nested in it along. It stays while it is under way, while a later run of its thread goes on from
it, and while a thread forked from it has runs: their conversations are made of its record. Lanes that were started beside
it stay, and their page says that it is gone.
"""

import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from catalog.auditing.recording import Act, record
from catalog.roles import Role, role_of
from playground.models import LaneSet, Run, RunEvent, Thread


@dataclass(frozen=True, slots=True)
class Refused:
    """A run that stays; `why` is a sentence."""

    run: Run
    why: str


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """`runs` can go, `nested` are the runs within them, `refused` stay."""

    runs: tuple[Run, ...]
    nested: tuple[UUID, ...]
    refused: tuple[Refused, ...]

    @property
    def all(self) -> list[UUID]:
        return [*(run.pk for run in self.runs), *self.nested]

    @property
    def events(self) -> int:
        return RunEvent.objects.filter(run__in=self.all).count()


def plan_deletion(wanted: Collection[UUID], by: User | None = None) -> DeletionPlan:
    """What deleting these runs would do. Without a person, nobody's rights are asked."""
    going = {run.pk: run for run in Run.objects.filter(pk__in=wanted).select_related("thread", "by", "catalog")}
    refused: list[Refused] = []
    if by and role_of(by) < Role.CURATOR:
        others = [run for run in going.values() if run.by_id != by.pk]
        refused += [Refused(going.pop(run.pk), "Someone else started it; a curator may delete it.") for run in others]
    while True:
        nested = _nested_in(going)
        staying = _staying(going, {*going, *nested})
        if not staying:
            return DeletionPlan(tuple(going.values()), tuple(nested), tuple(refused))
        refused += [Refused(going.pop(pk), why) for pk, why in staying.items()]


@transaction.atomic
def delete_runs(wanted: Collection[UUID], by: User | None = None) -> DeletionPlan:
    """Delete those that can go, with their threads and sets of lanes where nothing is left of them; what was done."""
    plan = plan_deletion(wanted, by)
    gone = plan.all
    threads = set(Run.objects.filter(pk__in=gone).values_list("thread", flat=True))
    left = Run.objects.filter(thread__in=threads).exclude(pk__in=gone).values_list("thread", flat=True)
    emptied = Thread.objects.filter(pk__in=threads.difference(left))
    emptied.update(forked_from=None)
    sets = list(LaneSet.objects.filter(runs__in=gone).values_list("pk", flat=True).distinct())
    Run.objects.filter(pk__in=gone).delete()
    emptied.delete()
    LaneSet.objects.filter(pk__in=sets, runs=None).delete()
    for run in plan.runs:
        record(Act.RUN_DELETED, run, by=by)
    transaction.on_commit(partial(_remove_outputs, gone))
    return plan


def _nested_in(runs: Iterable[UUID]) -> list[UUID]:
    """The runs within these at any depth, themselves left out."""
    above, found = set(runs), list[UUID]()
    level = list(above)
    while level:
        level = list(Run.objects.filter(parent__in=level).exclude(pk__in=above).values_list("pk", flat=True))
        above.update(level)
        found += level
    return found


def _staying(going: Mapping[UUID, Run], gone: Collection[UUID]) -> dict[UUID, str]:
    """Those that stay if just the runs `gone` went, and why."""
    others = Run.objects.exclude(pk__in=gone).order_by()
    threads = {run.thread_id for run in going.values()}
    last = dict(others.filter(thread__in=threads).values_list("thread").annotate(Max("position")))
    forked = set(others.filter(thread__forked_from__in=going).values_list("thread__forked_from", flat=True))

    def why(run: Run) -> str:
        if run.is_unfinished:
            return "It is under way. Stop it first."
        if run.parent_id and run.parent_id not in gone:
            return "It is nested in another run, and goes with that one."
        if last.get(run.thread_id, 0) > run.position:
            return "A later message of its thread goes on from it."
        return "A thread was forked from it." if run.pk in forked else ""

    return {pk: reason for pk, run in going.items() if (reason := why(run))}


def _remove_outputs(runs: Iterable[UUID]) -> None:
    for pk in runs:
        shutil.rmtree(settings.PEGBOARD_OUTPUT_DIR / str(pk), ignore_errors=True)
