"""A transport that watches one model call: what was sent back, whether it came whole, and what went wrong below.

LiteLLM reports a stream that was cut off, a reset connection and an HTML page as an answer that ended well; only the wire
tells them apart.
"""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from playground.agent.exchange import MOST_RECEIVED, MOST_SENT, Exchange
from playground.agent.frames import FrameReader

MOST_KEPT = 4_000
"""Bytes of a refusal that are kept for its message."""
_OF_THE_CODED_BODY = ("content-encoding", "content-length")


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait for a connection, and for each next byte."""

    connect: float = 10.0
    idle: float = 60.0

    @property
    def as_extension(self) -> dict[str, float]:
        """As httpx hands timeouts to a transport."""
        return {"connect": self.connect, "read": self.idle, "write": self.idle, "pool": self.connect}


class WatchingTransport(httpx.AsyncBaseTransport):
    """Passes one request on to `inner`, which stays open, under our own timeouts."""

    def __init__(self, inner: httpx.AsyncBaseTransport, patience: Patience, frames: FrameReader | None = None) -> None:
        self.status = 0
        self.headers = httpx.Headers()
        self.frames = frames or FrameReader()
        self.fault: Exception | None = None
        """What the transport below raised."""
        self.refusal = b""
        """How the body of an answer other than 200 begins."""
        self._inner = inner
        self.patience = patience
        self._address, self._sent, self._began = "", b"", 0.0
        self._received, self._received_size = bytearray(), 0
        self._response: httpx.Response | None = None

    @property
    def came_whole(self) -> bool:
        return self.status == httpx.codes.OK and self.frames.ended and not self.frames.problem

    @property
    def exchange(self) -> Exchange | None:
        """What was sent and what came back so far; None where nothing was sent."""
        if not self._began:
            return None
        sent = self._sent if len(self._sent) <= MOST_SENT else b""
        came = (bytes(self._received), self._received_size, round(time.monotonic() - self._began, 3))
        return Exchange(self._address, sent, len(self._sent), self.status, *came)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._address = f"{request.url.scheme}://{request.url.netloc.decode()}{request.url.path}"
        self._sent, self._began = await request.aread(), time.monotonic()
        request.extensions = {**request.extensions, "timeout": self.patience.as_extension}
        with self._noting_faults():
            response = await self._inner.handle_async_request(request)
        self.status, self.headers, self._response = response.status_code, response.headers, response
        response.request = request
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_CODED_BODY]
        return httpx.Response(self.status, headers=headers, stream=_Body(self, response), request=request)

    async def aclose(self) -> None:
        if self._response is not None:
            await self._response.aclose()

    async def body(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """The bytes as they come, decoded, so that frames can be read."""
        with self._noting_faults():
            async for raw in response.aiter_bytes():
                self._take(raw)
                yield raw
        self.frames.finish()

    def _take(self, raw: bytes) -> None:
        self._received_size += len(raw)
        self._received += raw[: MOST_RECEIVED - len(self._received)]
        if self.status == httpx.codes.OK:
            self.frames.feed(raw)
        elif len(self.refusal) < MOST_KEPT:
            self.refusal += raw[:MOST_KEPT]

    @contextmanager
    def _noting_faults(self) -> Iterator[None]:
        try:
            yield
        except Exception as fault:
            self.fault = fault
            raise


class _Body(httpx.AsyncByteStream):
    def __init__(self, watcher: WatchingTransport, response: httpx.Response) -> None:
        self._watcher = watcher
        self._response = response

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._watcher.body(self._response)

    async def aclose(self) -> None:
        await self._response.aclose()
