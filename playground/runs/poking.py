"""Telling every process that a run has more events. Carries no event, may be lost, and can never hurt the run."""

import asyncio
import logging
from uuid import UUID

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that the channel layer is given."""


def group_of(run_id: UUID) -> str:
    return f"run.{run_id}"


class Poker:
    def __init__(self, run_id: UUID) -> None:
        self._group = group_of(run_id)
        self._last_seq = 0
        self._sending: asyncio.Task[None] | None = None
        self._is_failing = False

    def poke(self, last_seq: int) -> None:
        """Returns at once; pokes that come while one is on its way become one."""
        self._last_seq = last_seq
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def sent(self) -> None:
        """Wait for the last poke."""
        if self._sending:
            await self._sending

    async def _send(self) -> None:
        sent = 0
        while sent < self._last_seq:
            sent = self._last_seq
            await self._send_one(sent)

    async def _send_one(self, last_seq: int) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await get_channel_layer().group_send(self._group, {"type": "run.more", "last_seq": last_seq})
            self._is_failing = False
        except Exception as problem:  # whatever a layer raises: watchers look by themselves every now and then
            if not self._is_failing:
                log.warning("the channel layer fails, so watchers are told late: %r", problem)
            self._is_failing = True
