"""The socket of a run's page: HTML for each batch of events, from the last one that the page has."""

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine
from contextlib import aclosing, suppress
from typing import Any
from uuid import UUID

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.utils import await_many_dispatch

from catalog.roles import Role
from playground.fragments import FRAMES
from playground.runs.database import read
from playground.runs.latest_states import LATEST
from playground.runs.live import RELAY
from playground.socket_rules import Allowance, CloseCode, may_watch, read_after, run_exists, view_asked, watching_role

log = logging.getLogger(__name__)

CHECK_EVERY = 4.0
"""Seconds between two looks at whether the person may still watch: who may not is gone within five."""
SEND_WITHIN = 20.0
"""Seconds that a browser is given to take a frame; after that it is cut off, and comes back for what it missed."""
MOST_SOCKETS = 20
"""Sockets of one person in this process."""

_sockets: Counter[int] = Counter()


class RunConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Waits for `{"after": seq}`, then sends frames until the run has ended, the browser leaves or a right is lost."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Without a channel of its own: the relay listens once for all watchers of a run, and outlives a failing layer."""
        self.scope, self.base_send = scope, send
        self._view = view_asked(scope["query_string"])
        self.run_id: UUID = scope["url_route"]["kwargs"]["run_id"]
        self._person: int | None = None
        self._role = Role.VIEWER
        self._allowance = Allowance()
        self._tasks: list[asyncio.Task[None]] = []
        try:
            with suppress(StopConsumer):
                await await_many_dispatch([receive], self.dispatch)
        finally:
            await self._leave()

    async def dispatch(self, message: Any) -> None:
        """Without Channels' look for old connections to the database before each message: reads have threads of their own."""
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        """Accepts even whom it sends away, for only then does a browser learn the code that says why."""
        await self.accept()
        if code := await self._refusal():
            await self.close(code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if code := self._allowance.overstepped_by(text_data or bytes_data or ""):
            await self.close(code)
        elif self._person is not None and not self._tasks:
            after = read_after(text_data)
            if after is None:
                await self.close(CloseCode.UNREADABLE)
            else:
                self._tasks = [self._keep(self._send_frames(after)), self._keep(self._check_rights())]

    async def _refusal(self) -> CloseCode | None:
        person = self.scope["user"].pk
        if person is None:
            return CloseCode.SIGNED_OUT
        role = await read(watching_role, self.run_id, self.scope["user"])
        if role is None:
            return CloseCode.NO_RUN
        self._role = role
        if _sockets[person] >= MOST_SOCKETS:
            return CloseCode.TOO_MANY
        self._person = person
        _sockets[person] += 1
        return None

    async def _send_frames(self, after: int) -> None:
        state = await LATEST.at(self.run_id, after)
        if state.summary.is_over:
            await self.close(CloseCode.OVER)
            return
        async with aclosing(RELAY.watch(self.run_id, state.seq)) as batches:
            async for batch in batches:
                state, html = FRAMES.advance(self.run_id, state, batch, self._view)
                LATEST.keep(self.run_id, state)
                async with asyncio.timeout(SEND_WITHIN):
                    await self.send(html)
        await self.close(CloseCode.OVER)

    async def _check_rights(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY)
            if not await may_watch(self.scope["session"].session_key, self._person, self._role):
                await self.close(CloseCode.NO_RIGHT)
            elif not await read(run_exists, self.run_id):
                await self.close(CloseCode.NO_RUN)

    def _keep(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        return asyncio.create_task(self._guard(work))

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        """A socket never dies in silence: its browser is told, and tries again."""
        try:
            await work
        except OSError as problem:  # the browser is gone, or was too slow
            log.info("a socket of run %s was given up: %r", self.run_id, problem)
            await self._close_quietly(CloseCode.TOO_SLOW)
        except Exception:
            log.exception("a socket of run %s failed", self.run_id)
            await self._close_quietly(CloseCode.FAILED)

    async def _close_quietly(self, code: CloseCode) -> None:
        with suppress(Exception):
            await self.close(code)

    async def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._person is not None:
            _sockets[self._person] -= 1
