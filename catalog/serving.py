"""Serving with uvicorn, on a socket that is already bound."""

import signal
import socket
import sys
from collections.abc import Callable

import uvicorn

from catalog import background

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
MAX_SOCKET_MESSAGE = 65_536
"""Bytes of one message that a browser may send through a socket."""


class _Server(uvicorn.Server):
    """Says when it is ready, which only it knows."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._on_ready()


def serve(listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until told to stop, by Ctrl-C or SIGTERM; both are an orderly end."""
    config = uvicorn.Config(
        "config.asgi:application",
        log_level="warning",
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MAX_SOCKET_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    try:
        _Server(config, on_ready).run(sockets=[listener])
    finally:
        background.stop()


def _leave(*_: object) -> None:
    """Uvicorn shuts down first, then raises the signal that it was told by."""
    sys.exit(0)
