"""Adding events to runs: one transaction for what several runs of this process want written at the same time."""

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import OuterRef, Subquery

from catalog.redaction import Redactor
from playground.agent.events import Event, RunEnded
from playground.agent.person_events import CallHeld
from playground.models import HeldCall, Run, RunEvent
from playground.runs.database import submit_write, tidily
from playground.runs.family import ancestors
from playground.runs.live import RELAY
from playground.runs.stored import to_body
from playground.runs.usage import tell_use

MOST_AT_ONCE = 50
"""Additions of one transaction."""

Stamped = tuple[datetime, Event]


class RunIsOverError(Exception):
    """The run has ended already, or was deleted: nothing more can be recorded of it."""


@dataclass(frozen=True, slots=True)
class Addition:
    run_id: UUID
    events: Sequence[Stamped]
    redactor: Redactor


def append_all(additions: Sequence[Addition]) -> list[int | None]:
    """Add events, and what they say of their run's status; for each addition the last seq, or None where the run is over."""
    with transaction.atomic():
        last = Subquery(RunEvent.objects.filter(run=OuterRef("pk")).order_by("-seq").values("seq")[:1])
        unfinished = Run.objects.select_for_update().unfinished().order_by().annotate(last_seq=last)
        runs = {run.pk: run for run in unfinished.filter(pk__in={addition.run_id for addition in additions})}
        seqs = {pk: run.last_seq or 0 for pk, run in runs.items()}  # type: ignore[attr-defined]
        rows: list[RunEvent] = []
        held: list[HeldCall] = []
        lasts: list[int | None] = []
        for addition in additions:
            run = runs.get(addition.run_id)
            if run is None or not run.is_unfinished:
                lasts.append(None)
                continue
            rows += _rows(run, addition, seqs[run.pk] + 1)
            held += _held(run, addition, seqs[run.pk] + 1)
            seqs[run.pk] += len(addition.events)
            lasts.append(seqs[run.pk])
            _follow_status(run, *addition.events[-1])
        RunEvent.objects.bulk_create(rows)
        HeldCall.objects.bulk_create(held)
        for run in runs.values():
            tell_use(run)
        transaction.on_commit(partial(RELAY.hand_over, rows), robust=True)
    return lasts


def append(addition: Addition) -> int:
    """The last seq. Raises RunIsOverError."""
    (last,) = append_all([addition])
    if last is None:
        raise RunIsOverError
    return last


def _rows(run: Run, addition: Addition, first: int) -> list[RunEvent]:
    return [
        RunEvent(run=run, seq=seq, kind=event.kind, at=at, body=addition.redactor.json(to_body(event)))
        for seq, (at, event) in enumerate(addition.events, start=first)
    ]


def _held(run: Run, addition: Addition, first: int) -> list[HeldCall]:
    """The rows of calls that wait from now on."""
    return [
        HeldCall(
            run=run,
            top=(run, *ancestors(run))[-1],
            seq=seq,
            call_id=event.call_id,
            tool=event.tool,
            digest=event.digest,
            asks=event.asks,
            held_at=at,
        )
        for seq, (at, event) in enumerate(addition.events, start=first)
        if isinstance(event, CallHeld)
    ]


def _follow_status(run: Run, at: datetime, event: Event) -> None:
    if isinstance(event, RunEnded):
        run.status, run.ended_at = event.outcome, at
        run.save(update_fields=["status", "ended_at"])
    elif run.status == Run.Status.WAITING:
        run.status = Run.Status.RUNNING
        run.save(update_fields=["status"])


async def add(addition: Addition) -> int:
    """As `append`, together with what other runs add meanwhile. Once asked for it is done, even if the caller is cancelled."""
    written: Future[int] = Future()
    _waiting.append((addition, written))
    if not _called.is_set():
        _called.set()
        submit_write(_append_waiting)
    return await asyncio.shield(asyncio.wrap_future(written))


_waiting: deque[tuple[Addition, "Future[int]"]] = deque()
_called = threading.Event()
"""Whether the writing thread is going to look at what waits."""


def _append_waiting() -> None:
    """One transaction for the next additions, none of which may cost another one; then, behind other writes, the next."""
    _called.clear()
    batch = [_waiting.popleft() for _ in range(min(len(_waiting), MOST_AT_ONCE))]
    if not batch:
        return
    _append_batch(batch)
    if _waiting and not _called.is_set():
        _called.set()
        submit_write(_append_waiting)


def _append_batch(batch: "list[tuple[Addition, Future[int]]]") -> None:
    try:
        lasts = tidily(partial(append_all, [addition for addition, _ in batch]))
    except OperationalError as problem:
        for _, written in batch:
            written.set_exception(problem)
    except Exception:  # of one addition: each is tried by itself, so that its own run is told
        for addition, written in batch:
            _append_singly(addition, written)
    else:
        for (_, written), last in zip(batch, lasts, strict=True):
            _settle(written, last)


def _append_singly(addition: Addition, written: "Future[int]") -> None:
    try:
        _settle(written, tidily(partial(append_all, [addition]))[0])
    except Exception as problem:  # raised where the addition was asked for
        written.set_exception(problem)


def _settle(written: "Future[int]", last: int | None) -> None:
    if last is None:
        written.set_exception(RunIsOverError())
    else:
        written.set_result(last)
