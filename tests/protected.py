"""A server that wants to be signed in to, served in a thread of this process, so that a test can reach into it."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from tests.mcp_servers.protected_server import Granting, protected_app


@dataclass
class Protected:
    """`requests` are the method, path and status of each that was answered."""

    url: str
    granting: Granting
    requests: list[tuple[str, str, int]]


@contextmanager
def protected_server(required: Sequence[str] = ("notes:read",)) -> Iterator[Protected]:
    """Our own server with the MCP library's OAuth."""
    requests: list[tuple[str, str, int]] = []
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    granting = Granting(iss=address)
    app = noting(protected_app(address, granting, list(required)), requests)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.02)
    yield Protected(f"{address}/mcp", granting, requests)
    server.should_exit = True
    thread.join(10)
    listener.close()


def noting(app: Any, requests: list[tuple[str, str, int]]) -> Any:
    """The application, whose answers are noted by method, path and status."""

    async def noted(scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                requests.append((scope["method"], scope["path"], message["status"]))
            await send(message)

        await app(scope, receive, sending)

    return noted
