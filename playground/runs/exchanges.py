"""What a run said to its model's provider and heard from it: keeping it beside the stream, and reading it back."""

import asyncio
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DatabaseError
from django.utils import timezone

from catalog.redaction import Redactor
from playground.agent.exchange import Exchange
from playground.agent.joined_frames import join_frames, read_frames
from playground.models import RunExchange
from playground.runs.database import write
from playground.runs.exchange_deltas import Delta, delta, whole
from playground.runs.stored import storable

log = logging.getLogger(__name__)


class ExchangeLog:
    """Keeps the exchanges of one run, in order, clean of its secrets. The run never waits for it, nor ends by its faults.

    `turn` is the one that is under way.
    """

    def __init__(self, run_id: UUID, redactor: Redactor) -> None:
        self.turn = 0
        self._run_id = run_id
        self._redactor = redactor
        self._number = 0
        self._before: Any = None
        self._in_order = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def keep(self, exchange: Exchange) -> None:
        """Returns at once. To be called on the event loop."""
        self._number += 1
        task = asyncio.create_task(self._keep(exchange, self._number, self.turn, timezone.now()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait until all is written."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _keep(self, exchange: Exchange, number: int, turn: int, at: datetime) -> None:
        try:
            async with self._in_order:
                row = await asyncio.to_thread(self._row, exchange, number, turn, at)
                await write(row.save, force_insert=True)
        except DatabaseError as problem:
            self._before = None
            log.warning("request %d of run %s is not kept: %s", number, self._run_id, problem)
        except Exception:  # of this record alone, which no run may fail by
            self._before = None
            log.exception("request %d of run %s is not kept", number, self._run_id)

    def _row(self, exchange: Exchange, number: int, turn: int, at: datetime) -> RunExchange:
        now = _request(exchange.sent)
        told = delta(self._before, now)
        self._before = now
        redacted = self._redactor.json
        received = join_frames(read_frames(exchange.received), self._redactor.text)
        return RunExchange(
            run_id=self._run_id,
            number=number,
            turn=turn,
            at=at,
            seconds=exchange.seconds,
            address=self._redactor.text(exchange.address)[:500],
            status=exchange.status,
            same=told.same,
            sent=storable(redacted(told.sent)),
            received=storable(redacted(received)),
            sent_size=exchange.sent_size,
            received_size=exchange.received_size,
        )


def _request(sent: bytes) -> Any:
    """The request's JSON; its text where it is none, None where it was too large to keep."""
    try:
        return json.loads(sent) if sent else None
    except (ValueError, RecursionError):
        return sent.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Kept:
    """An exchange as it was, `request` whole again; None where it was too large to keep."""

    row: RunExchange
    request: Any

    @property
    def response(self) -> Any:
        """What came back: one value, or the frames of a stream."""
        received = self.row.received
        return received[0] if len(received) == 1 else received

    @property
    def as_json(self) -> dict[str, Any]:
        names = ("number", "turn", "seconds", "address", "status")
        about = {name: getattr(self.row, name) for name in names}
        return {**about, "at": self.row.at.isoformat(), "request": self.request, "response": self.response}


def exchanges_of(run_id: UUID, turn: int | None = None) -> Iterator[Kept]:
    """All in order, or those of one turn."""
    before: Any = None
    rows = RunExchange.objects.filter(run_id=run_id).order_by("number")
    for row in rows if turn is None else rows.filter(turn__lte=turn):
        before = whole(before, Delta(row.same, row.sent))
        if turn is None or row.turn == turn:
            yield Kept(row, before)
