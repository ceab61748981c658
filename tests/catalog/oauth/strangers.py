"""An MCP server and an authorization server that say what a test has them say, and a trap that nobody should reach."""

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

PROTECTED = "/.well-known/oauth-protected-resource/mcp"
SERVER = "/.well-known/oauth-authorization-server"


@dataclass
class Strangers:
    """Servers on loopback, whose `documents` and `statuses` are by path; `hits` are the paths asked for, `trapped` those of the trap."""

    documents: dict[str, Any] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=lambda: {"/mcp": 401})
    hits: list[str] = field(default_factory=list)
    trapped: list[str] = field(default_factory=list)
    challenge: str = ""
    own: str = ""
    trap: str = ""

    def metadata(self, **changed: Any) -> dict[str, Any]:
        named = {"issuer": "", "authorization_endpoint": "/authorize", "token_endpoint": "/token"}
        about = {name: f"{self.own}{path}" for name, path in named.items()}
        return {
            **about,
            "registration_endpoint": f"{self.own}/register",
            "code_challenge_methods_supported": ["S256"],
        } | changed

    def protected(self, **changed: Any) -> dict[str, Any]:
        return {"resource": f"{self.own}/mcp", "authorization_servers": [self.own], **changed}


class Handler(http.server.BaseHTTPRequestHandler):
    strangers: Strangers

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.do_GET()

    def do_GET(self) -> None:
        strangers = self.strangers
        is_trap = strangers.trap.endswith(f":{self.connection.getsockname()[1]}")
        (strangers.trapped if is_trap else strangers.hits).append(self.path)
        found = strangers.documents.get(self.path, 404)
        body = json.dumps(found).encode() if isinstance(found, dict) else b"<p>hello</p>"
        self.send_response(strangers.statuses.get(self.path, found if isinstance(found, int) else 200))
        self.send_header("content-length", str(len(body)))
        self.send_header("location", f"{strangers.trap}{self.path}")
        if strangers.challenge:
            self.send_header("www-authenticate", strangers.challenge)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def listening() -> Iterator[Strangers]:
    strangers = Strangers()
    handler = type("Handler", (Handler,), {"strangers": strangers})
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2)]
    strangers.own, strangers.trap = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    strangers.documents = {PROTECTED: strangers.protected(), SERVER: strangers.metadata()}
    threads = [
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True) for server in servers
    ]
    for thread in threads:
        thread.start()
    yield strangers
    for server, thread in zip(servers, threads, strict=True):
        server.shutdown()
        server.server_close()
        thread.join()
