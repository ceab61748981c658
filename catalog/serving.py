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


def listen(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes any that is free. Raises OSError.

    The head and the body of an answer are written one after the other, and neither waits until the other is acknowledged,
    which takes 40 ms: connections inherit that from the socket that they come from.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


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
