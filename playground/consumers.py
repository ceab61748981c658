"""The sockets of pages that follow runs: HTML for each batch of events, from the last one that the page has."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, suppress
from typing import Any
from uuid import UUID

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.utils import await_many_dispatch

from playground.fragments import FRAMES
from playground.runs.database import read
from playground.runs.latest_states import LATEST
from playground.runs.live import RELAY
from playground.socket_rules import Allowance, CloseCode, Watcher, read_after, run_exists, session_key, view_asked

log = logging.getLogger(__name__)

CHECK_EVERY = 4.0
"""Seconds between two looks at whether the person may still watch: who may not is gone within five."""
SEND_WITHIN = 20.0
"""Seconds that a browser is given to take a frame; after that it is cut off, and comes back for what it missed."""
MOST_SOCKETS = 20
"""Sockets of one person in this process."""

_sockets: Counter[int] = Counter()


class FollowingConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Waits for `{"after": …}`, then sends frames until there are no more, the browser leaves or a right is lost.

    What is followed, what `after` may be, and the frames are said by those made of it.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Without a channel of its own: the relay listens once for all watchers of a run, and outlives a failing layer."""
        self.scope, self.base_send = scope, send
        self._session = session_key(scope["headers"])
        self._watcher: Watcher | None = None
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
        elif self._watcher and not self._tasks:
            frames = self._frames_after(text_data)
            if frames is None:
                await self.close(CloseCode.UNREADABLE)
            else:
                self._tasks = [self._keep(self._send(frames)), self._keep(self._check_rights(self._watcher))]

    def _exists(self) -> bool:
        """Whether what is followed is still there. Asks the database."""
        raise NotImplementedError

    def _frames_after(self, message: str | None) -> AsyncGenerator[str, None] | None:
        """What a page that has so much needs; None where the message makes no sense."""
        raise NotImplementedError

    async def _refusal(self) -> CloseCode | None:
        watcher, exists = await read(self._entrance)
        if watcher is None:
            return CloseCode.SIGNED_OUT
        if not exists:
            return CloseCode.NO_RUN
        if _sockets[watcher.person] >= MOST_SOCKETS:
            return CloseCode.TOO_MANY
        self._watcher = watcher
        _sockets[watcher.person] += 1
        return None

    def _entrance(self) -> tuple[Watcher | None, bool]:
        """Who comes, and whether what is to be followed is there. Asks the database."""
        watcher = Watcher.of(self._session)
        return watcher, watcher is not None and self._exists()

    async def _send(self, frames: AsyncGenerator[str, None]) -> None:
        async with aclosing(frames):
            async for html in frames:
                async with asyncio.timeout(SEND_WITHIN):
                    await self.send(html)
        await self.close(CloseCode.OVER)

    async def _check_rights(self, watcher: Watcher) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY)
            now, exists = await read(self._entrance)
            if not watcher.is_still(now):
                await self.close(CloseCode.NO_RIGHT)
            elif not exists:
                await self.close(CloseCode.NO_RUN)

    def _keep(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        return asyncio.create_task(self._guard(work))

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        """A socket never dies in silence: its browser is told, and tries again."""
        try:
            await work
        except OSError as problem:  # the browser is gone, or was too slow
            log.info("the socket %s was given up: %r", self.scope["path"], problem)
            await self._close_quietly(CloseCode.TOO_SLOW)
        except Exception:
            log.exception("the socket %s failed", self.scope["path"])
            await self._close_quietly(CloseCode.FAILED)

    async def _close_quietly(self, code: CloseCode) -> None:
        with suppress(Exception):
            await self.close(code)

    async def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._watcher:
            _sockets[self._watcher.person] -= 1


class RunConsumer(FollowingConsumer):
    """A run's page; `after` is the number of the last event that it has."""

    @property
    def _run_id(self) -> UUID:
        run_id: UUID = self.scope["url_route"]["kwargs"]["run_id"]
        return run_id

    def _exists(self) -> bool:
        return run_exists(self._run_id)

    def _frames_after(self, message: str | None) -> AsyncGenerator[str, None] | None:
        after = read_after(message)
        return None if after is None else self._frames(after)

    async def _frames(self, after: int) -> AsyncGenerator[str, None]:
        view = view_asked(self.scope["query_string"])
        state = await LATEST.at(self._run_id, after)
        if state.summary.is_over:
            return
        async with aclosing(RELAY.watch(self._run_id, state.seq)) as batches:
            async for batch in batches:
                state, html = FRAMES.advance(self._run_id, state, batch, view)
                LATEST.keep(self._run_id, state)
                yield html
