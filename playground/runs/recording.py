"""Writing a run: every event is in the database before anyone, its own run included, goes on from it."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from django.db import OperationalError
from django.utils import timezone

from catalog.redaction import Redactor
from playground.agent.events import Event, TextStreamed
from playground.runs.appending import Addition, RunIsOverError, Stamped, add
from playground.runs.poking import Poker

log = logging.getLogger(__name__)

TEXT_EVERY = 0.04
"""Seconds for which pieces of text are joined."""
MOST_TEXT = 64_000
"""Characters that may wait for the database before the run waits for it too."""
TRY_AGAIN = 1.0
"""Seconds between two tries while the database is locked or its disk full. The run stands still meanwhile."""


class Recorder:
    """Records one run's events in the order given. Text is joined and written a little later, everything else at once.

    `redactor` is to know the run's secrets before the first event that could hold one.
    """

    def __init__(self, run_id: UUID) -> None:
        self.redactor = Redactor()
        self._run_id = run_id
        self._poker = Poker(run_id)
        self._text = ""
        self._text_turn = 0
        self._text_at = timezone.now()
        self._joining: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def record(self, event: Event) -> None:
        """Returns once the event is committed; text is only taken in. Raises RunIsOverError."""
        if not isinstance(event, TextStreamed):
            await self._write(event)
            return
        if self._text and (event.turn != self._text_turn or len(self._text) >= MOST_TEXT):
            await self._write(keep_open=event.turn == self._text_turn)
        if not self._text:
            self._text_turn, self._text_at = event.turn, timezone.now()
        self._text += event.text
        self._join_for_a_while()

    async def close(self) -> None:
        """Leave no text and no task behind; the last poke is on its way."""
        if self._joining:
            self._joining.cancel()
        with suppress(RunIsOverError):
            await self._write()
        await self._poker.sent()

    def _join_for_a_while(self) -> None:
        if self._joining and self._joining.done():
            self._joining.result()
            self._joining = None
        if not self._joining:
            self._joining = asyncio.create_task(self._write_text_later())

    async def _write_text_later(self) -> None:
        await asyncio.sleep(TEXT_EVERY)
        await self._write(keep_open=True)

    async def _write(self, event: Event | None = None, *, keep_open: bool = False) -> None:
        async with self._writing:
            text = self._take_text(keep_open)
            batch = [*text, *([(timezone.now(), event)] if event else [])]
            if batch:
                self._poker.poke(await self._commit(batch))

    async def _commit(self, batch: Sequence[Stamped]) -> int:
        while True:
            try:
                return await add(Addition(self._run_id, batch, self.redactor))
            except OperationalError as problem:
                log.warning("run %s waits for the database: %s", self._run_id, problem)
                await asyncio.sleep(TRY_AGAIN)

    def _take_text(self, keep_open: bool) -> list[Stamped]:
        """What is ready of the text. While more may follow, an end stays back that may be the beginning of a secret."""
        cut = len(self._text) - (self.redactor.held(self._text) if keep_open else 0)
        ready, self._text = self._text[:cut], self._text[cut:]
        return [(self._text_at, TextStreamed(self._text_turn, ready))] if ready else []
