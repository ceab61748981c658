"""Importing runs from elsewhere: rows and events in one transaction, told as imported, and never as used or spent here."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import cast
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.models import Catalog
from playground.agent.events import CallSent, Event, RunEnded
from playground.foreign.runs import ForeignRun
from playground.models import Run, RunEvent, RunNote, Thread
from playground.runs.brought_logs import PlannedThread
from playground.runs.stored import to_body


@transaction.atomic
def import_threads(planned: Iterable[PlannedThread], by: User | None, catalog: Catalog | None = None) -> list[Thread]:
    """All of them or, if anything goes wrong, none. `catalog` is where the tools are that the runs used, if they are here."""
    threads = []
    for one in planned:
        thread = Thread.objects.create(title=one.thread.title, by=by)
        ids = _ids(one.thread.runs)
        for position, run in enumerate(one.thread.runs, start=1):
            about = {"imported_from": one.log.kind, "origin": one.origin, "catalog": catalog, "by": by}
            row = Run(thread=thread, position=position, **about)
            _import(run, row, ids)
            record(Act.RUN_IMPORTED, row, after={"from": one.log.kind, "origin": one.origin}, by=by)
        threads.append(thread)
    return threads


def _ids(runs: Iterable[ForeignRun]) -> dict[UUID, UUID]:
    """Each run keeps its id where that is free here."""
    named = [one.id for run in runs for one in (run, *_below(run)) if one.id]
    taken = set(Run.objects.filter(pk__in=named).values_list("pk", flat=True))
    return {id_: uuid4() if id_ in taken else id_ for id_ in named}


def _below(run: ForeignRun) -> Iterable[ForeignRun]:
    for child in run.nested:
        yield child
        yield from _below(child)


def _import(run: ForeignRun, row: Run, ids: dict[UUID, UUID]) -> None:
    """The run into the row, then what is nested in it."""
    now = timezone.now()
    timed = [(at or now, _with_ids(event, ids)) for at, event in run.events]
    row.pk = ids.pop(run.id, None) or uuid4() if run.id else uuid4()
    row.task = run.task
    row.status = cast(RunEnded, timed[-1][1]).outcome
    row.ended_at = timed[-1][0] if run.has_times else None
    row.save(force_insert=True)
    began = min(timed[0][0], now)
    Run.objects.filter(pk=row.pk).update(created_at=began)
    RunEvent.objects.bulk_create(_rows(row, timed), batch_size=500)
    RunNote.objects.bulk_create(RunNote(run=row, seq=seq, text=text) for seq, text in run.notes)
    for child in run.nested:
        about = {"imported_from": row.imported_from, "origin": row.origin, "catalog": None, "by": row.by}
        nested = Run(parent=row, parent_call=child.parent_call, **about)
        nested.thread = Thread.objects.create(title=child.task[:200] or row.thread.title, by=row.thread.by)
        _import(child, nested, ids)


def _with_ids(event: Event, ids: dict[UUID, UUID]) -> Event:
    if isinstance(event, CallSent) and event.nested in ids:
        return replace(event, nested=ids[event.nested])
    return event


def _rows(row: Run, timed: list[tuple[datetime, Event]]) -> Iterable[RunEvent]:
    for seq, (at, event) in enumerate(timed, start=1):
        yield RunEvent(run=row, seq=seq, kind=event.kind, at=at, body=to_body(event))
