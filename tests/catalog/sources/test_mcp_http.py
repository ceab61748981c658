"""MCP servers at an address: what goes wrong on the way, and that nothing goes where it should not."""

import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from catalog.sources.errors import SourceError
from catalog.sources.headers import header_problems
from catalog.sources.mcp import HttpConnection, Timeouts, connect, read

QUICK = Timeouts(start=10, listing=10, call=2)
SECRET = {"Authorization": "Bearer canary-0123456789"}


@dataclass
class Stub:
    """A server whose path says what it does with a request: a status, `html`, `away`, or how it fails a tool call."""

    url: str = ""
    hits: list[str] = field(default_factory=list)
    authorized: list[str] = field(default_factory=list)

    def connection(self, path: str) -> HttpConnection:
        return HttpConnection(f"{self.url}/{path}", SECRET, allow_private=True)


class StubHandler(http.server.BaseHTTPRequestHandler):
    stub: Stub

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.stub.hits.append(self.path)
        self.stub.authorized.append(self.headers.get("Authorization", ""))
        kind = self.path.strip("/")
        if kind.isdigit():
            self.answer(int(kind), "text/html", b"<p>hello</p>")
        elif kind in ("html", "json"):
            self.answer(200, "text/html" if kind == "html" else "application/json", b"<p>hello</p>")
        elif kind == "away":
            self.answer(307, "text/html", b"", Location=f"{self.stub.url.replace('127.0.0.1', 'localhost')}/html")
        else:
            self.speak(kind, json.loads(body))

    def speak(self, kind: str, message: dict[str, Any]) -> None:
        results = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "stub", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "echo"}, {"name": 7}]},
        }
        if message["method"] == "tools/call":
            self.fail(kind, message["id"])
        elif message["method"] in results:
            result = {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]}
            self.answer(200, "application/json", json.dumps(result).encode())
        else:
            self.answer(202 if "id" not in message else 400, "text/plain", b"")

    def fail(self, kind: str, number: int) -> None:
        match kind:
            case "drop":
                self.close_connection = True
            case "hang":
                time.sleep(2.5)
            case "huge":
                content = [{"type": "text", "text": "A" * 11_000_000}]
                result = {"jsonrpc": "2.0", "id": number, "result": {"content": content}}
                self.answer(200, "application/json", json.dumps(result).encode())
            case "squeezed":
                self.answer(200, "application/json", b"x", **{"Content-Encoding": "gzip"})
            case "cut":
                self.answer(200, "text/event-stream", b"event: message\ndata: {")
            case "gone":
                self.answer(404, "text/plain", b"")
            case "expired":
                self.answer(401, "application/json", b'{"error": "token expired"}')
            case "refused":
                error = {"code": -32602, "message": "city is missing"}
                self.answer(
                    400, "application/json", json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode()
                )

    def answer(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def stub() -> Iterator[Stub]:
    stub = Stub()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (StubHandler,), {"stub": stub}))
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield stub
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("401", "answered with the HTTP status 401. Check the headers"),
        ("403", "answered with the HTTP status 403. Check the headers"),
        ("404", "answered with the HTTP status 404. Check the address"),
        ("405", "answered with the HTTP status 405. Check the address"),
        ("502", "answered with the HTTP status 502. Look into its own log."),
        ("html", "Unexpected content type: text/html"),
        ("json", "answered with an error"),
        ("away", "not followed"),
    ],
)
async def test_an_address_without_an_mcp_server_says_why(path: str, sentence: str, stub: Stub) -> None:
    with pytest.raises(SourceError) as caught:
        await read(stub.connection(path))
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(stub.url.removeprefix("http://"))
    assert "canary" not in str(caught.value)
    assert set(stub.hits) == {f"/{path}"}


async def test_one_bad_tool_costs_that_tool(stub: Stub) -> None:
    listing = await read(stub.connection("good"))
    assert [tool.name for tool in listing.tools] == ["echo"]
    assert "its name is a number" in str(listing.problems[0])


async def test_the_headers_that_a_person_wrote_go_with_every_request(stub: Stub) -> None:
    await read(stub.connection("good"))
    assert len(stub.authorized) > 2
    assert set(stub.authorized) == {SECRET["Authorization"]}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("drop", "127.0.0.1:"),
        ("hang", "did not answer in time"),
        ("huge", "The answer of 127.0.0.1 is larger than 10 MB."),
        ("squeezed", "sent a compressed answer"),
        ("cut", "The connection to the server was lost."),
        ("gone", "answered with the HTTP status 404"),
        ("expired", "answered with the HTTP status 401. Check the headers"),
    ],
)
async def test_a_call_that_breaks_the_connection_is_an_error_of_that_call(path: str, sentence: str, stub: Stub) -> None:
    went_on = False
    async with connect(stub.connection(path), QUICK) as session:
        with pytest.raises(SourceError) as caught:
            await session.call("echo", {})
        went_on = True
    assert went_on
    assert sentence in str(caught.value)


async def test_what_a_server_objects_to_is_an_outcome_whatever_its_status(stub: Stub) -> None:
    async with connect(stub.connection("refused"), QUICK) as session:
        outcome = await session.call("echo", {})
    assert (outcome.content_text, outcome.is_error) == ("The server refused the call: city is missing", True)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://127.0.0.1:9/mcp", "127.0.0.1:9 cannot be reached. Is the server running"),
        ("http://[::1", "The address cannot be read"),
        ("ftp://example.com/", "Only http and https addresses are reached, not ftp."),
        ("", "Only http and https addresses are reached"),
    ],
)
async def test_an_address_that_cannot_be_reached_says_why(url: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        await read(HttpConnection(url, allow_private=True), timeouts=QUICK)
    assert str(caught.value).startswith(sentence)


async def test_an_inner_address_needs_an_admins_word(stub: Stub) -> None:
    with pytest.raises(SourceError, match="private or reserved address"):
        await read(HttpConnection(f"{stub.url}/good"), timeouts=QUICK)
    assert stub.hits == []


async def test_a_modern_server_gets_the_headers_that_its_tools_ask_for(modern_http: str) -> None:
    async with connect(HttpConnection(modern_http, allow_private=True)) as session:
        unlisted = await session.call("weather", {"city": "Oslo"})
        listing = await session.list_tools()
        listed = await session.call("weather", {"city": "Bergen"})
    assert listing.protocol == "2026-07-28"
    assert [outcome.content_text for outcome in (unlisted, listed)] == ["sunny in Oslo", "sunny in Bergen"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Bad Name": "x"},
        {"": "x"},
        {"X-Key\r\nY": "x"},
        {"X-Key": "a\r\nY: b"},
        {"X-Key": "a\nb"},
        {"X-Key": "ключ-canary"},
        {"Host": "x"},
        {"content-length": "1"},
        {"Mcp-Session-Id": "x"},
    ],
)
async def test_a_header_that_cannot_be_sent_is_told_without_its_value(headers: dict[str, str], stub: Stub) -> None:
    [problem] = header_problems(headers)
    assert "canary" not in problem
    with pytest.raises(SourceError, match="header"):
        await read(HttpConnection(f"{stub.url}/good", headers, allow_private=True))
    assert stub.hits == []


def test_usual_headers_can_be_sent() -> None:
    assert header_problems({"Authorization": "Bearer abc", "X-Api-Key": "a=b;c", "X-Empty": ""}) == []
