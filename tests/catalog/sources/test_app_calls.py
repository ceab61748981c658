"""Calls of an app's tools over loopback: signed, sent once, and what is said when the answer is none."""

import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from catalog.sources.app_calls import AppAddress, NotSentError, call_app, signature
from catalog.sources.errors import SourceError

KEY = "pegboard_app_canary-0123456789"
REQUEST = {"call": "1", "run": "2", "tool": "echo", "arguments": {"text": "grüezi"}}
NOW = 1_793_336_400


class FaultyApp(http.server.BaseHTTPRequestHandler):
    """Answers as its path says. `hits` has path, headers and body of each request."""

    hits: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.hits.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        match self.path:
            case "/drop":
                self.connection.close()
            case "/hang":
                threading.Event().wait(5)
            case "/away":
                self.answer(302, b"", Location="http://127.0.0.1:1/private")
            case "/packed":
                self.answer(200, b"x", **{"Content-Encoding": "gzip"})
            case path if path.startswith("/status/"):
                self.answer(int(path[8:]), b"secret inside")
            case path:
                self.answer(200, ANSWERS[path])

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


ANSWERS = {
    "/good": b'{"content": "3 degrees", "is_error": false}',
    "/failed": b'{"content": "no such city", "is_error": true}',
    "/json": b'{"content": {"celsius": 3}, "is_error": false}',
    "/echo-key": json.dumps({"content": f"key {KEY}", "is_error": False}).encode(),
    "/html": b"<html>hello</html>",
    "/list": b"[1, 2]",
    "/other-form": b'{"content": "x", "is_error": "no"}',
    "/empty": b"",
    "/deep": b"[" * 100_000,
    "/nul": b'{"content": "a\\u0000b", "is_error": false}',
    "/huge": b'{"content": "' + b"A" * 11_000_000 + b'", "is_error": false}',
    "/large": b'{"content": "' + b"A" * 1_000_000 + b'", "is_error": false}',
}


class App:
    """A running app at loopback."""

    def __init__(self, url: str, hits: list[tuple[str, dict[str, str], bytes]]) -> None:
        self.url = url
        self.hits = hits

    def at(self, path: str) -> AppAddress:
        return AppAddress(f"{self.url}{path}", KEY)


@pytest.fixture
def app() -> Iterator[App]:
    class Handler(FaultyApp):
        hits = []

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield App(f"http://127.0.0.1:{server.server_port}", Handler.hits)
        server.shutdown()
        thread.join(5)


async def test_a_call_is_signed_over_its_timestamp_and_its_body(app: App) -> None:
    outcome = await call_app(app.at("/good"), REQUEST, NOW)
    assert (outcome.content_text, outcome.is_error) == ("3 degrees", False)
    ((_, headers, body),) = app.hits
    assert json.loads(body) == REQUEST
    assert headers["x-pegboard-timestamp"] == str(NOW)
    assert headers["x-pegboard-signature"] == signature(KEY, str(NOW), body)
    assert KEY not in str(headers)


def test_a_signature_is_bound_to_key_time_and_body() -> None:
    assert signature("k", "1", b"{}") == "3dd49b2593d0f9a349e9e71c4bde3e2b862c2be4003fe9b4ba81332029310158"
    others = {signature("l", "1", b"{}"), signature("k", "2", b"{}"), signature("k", "1", b"[]")}
    assert len({signature("k", "1", b"{}"), *others}) == 4


@pytest.mark.parametrize(
    ("path", "text", "is_error"),
    [
        ("/failed", "no such city", True),
        ("/json", '{"celsius": 3}', False),
        ("/nul", "a\ufffdb", False),
        ("/echo-key", "key ••••", False),
        ("/status/500", "The app refused the call with the HTTP status 500.", True),
        ("/status/401", "The app refused the call with the HTTP status 401.", True),
    ],
)
async def test_what_an_app_answers_is_told(app: App, path: str, text: str, is_error: bool) -> None:
    outcome = await call_app(app.at(path), REQUEST, NOW)
    assert (outcome.content_text, outcome.is_error) == (text, is_error)


async def test_a_large_answer_keeps_its_beginning_and_its_end(app: App) -> None:
    outcome = await call_app(app.at("/large"), REQUEST, NOW)
    assert len(outcome.content_text) < 300_000
    assert "characters are left out here" in outcome.content_text


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/html", "answered with something other than"),
        ("/list", "answered with something other than"),
        ("/other-form", "answered with something other than"),
        ("/empty", "answered with something other than"),
        ("/deep", "answered with something other than"),
        ("/huge", "is larger than 10 MB"),
        ("/packed", "sent a compressed answer"),
        ("/drop", "was lost"),
        ("/away", "redirects are not followed"),
        ("/hang", "did not answer within 1 seconds"),
    ],
)
async def test_a_call_without_an_answer_says_why_and_is_sent_once(app: App, path: str, problem: str) -> None:
    with pytest.raises(SourceError, match=problem) as raised:
        await call_app(app.at(path), REQUEST, NOW, seconds=1 if path == "/hang" else 20)
    assert not isinstance(raised.value, NotSentError)
    assert [hit[0] for hit in app.hits] == [path]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x", "http://169.254.169.254/x", "http://[fe80::1]/x"])
async def test_an_address_that_cannot_or_may_not_be_reached_is_sent_nothing(url: str) -> None:
    with pytest.raises(NotSentError):
        await call_app(AppAddress(url, KEY), REQUEST, NOW)


def test_the_key_is_in_no_text_of_the_address() -> None:
    assert KEY not in repr(AppAddress("http://x.example/", KEY))
