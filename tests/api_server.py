"""A real HTTP API on loopback that tells what it received, byte for byte, and misbehaves where its path asks for it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BIG = 11 * 1024 * 1024


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire; header names in small letters."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]


@dataclass
class Api:
    """`answers` are what a path is answered with (status, headers, body); every other path tells what it received."""

    address: str
    received: list[Received] = field(default_factory=list)
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)

    @property
    def last(self) -> Received:
        return self.received[-1]


@contextmanager
def served_api() -> Iterator[Api]:
    api = Api("")

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.command, self.path, headers, body)
            api.received.append(received)
            status, extra, content = api.answers.get(received.path) or (200, {}, _told(received))
            if extra.get("ETag") and headers.get("if-none-match") == extra["ETag"]:
                status, content = 304, b""
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **extra}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            """Requests are in `received`."""

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        setattr(Answering, f"do_{method}", Answering.answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    api.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _told(received: Received) -> bytes:
    told = {"method": received.method, "target": received.target, "body": received.body.decode("utf-8", "replace")}
    return json.dumps(told).encode()
