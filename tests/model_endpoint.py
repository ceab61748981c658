"""An OpenAI-compatible endpoint on loopback that answers well or badly: its mood is in the path, `/v1/<mood>`.

It takes chat completions and, as `tests/responses_endpoint.py` has it, the Responses API.

`obedient` plays a sensible agent by the scripted model's rules, `cut-700` ends the connection after 700 bytes of a good
answer, `says-` with a text in hexadecimal digits says that, the other moods each break one thing.
None sleeps longer than LONGEST_HANG; closing the endpoint wakes them.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from playground.agent.scripted_model import Reply, WantedCall, reply, words_of
from playground.agent.wire import Patience
from tests.responses_endpoint import GOOD_RESPONSE, RESPONSES, Refused

LONGEST_HANG = 10.0
ECHOED_KEY = "sk-ECHOED0123456789abcdef"
"""A key that the refusals repeat, as real providers do."""


class Exchange:
    """One request and what is sent in answer to it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], closing: threading.Event) -> None:
        self.body = body
        self._handler = handler
        self._closing = closing

    def begin(self, status: int = 200, content_type: str = "text/event-stream", **headers: str) -> None:
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def send(self, raw: bytes) -> None:
        self._handler.wfile.write(raw)
        self._handler.wfile.flush()

    def hang(self, seconds: float = LONGEST_HANG) -> None:
        self._closing.wait(seconds)

    def reset(self) -> None:
        """End the connection with a TCP reset."""
        connection = self._handler.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()


def frame(value: Any) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


ANSWER = {"id": "answer", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def delta(finish: str | None = None, **parts: Any) -> bytes:
    """A chunk of an answer."""
    choice = {"index": 0, "delta": parts, "finish_reason": finish}
    return frame({**ANSWER, "choices": [choice]})


def call(name: str = "", arguments: str = "", call_id: str | None = None, index: int = 0) -> dict[str, Any]:
    """A piece of a tool call; without name and id it continues the one at its index."""
    function = {"name": name, "arguments": arguments} if name else {"arguments": arguments}
    return {"index": index, "function": function} | ({"id": call_id, "type": "function"} if call_id else {})


DONE = b"data: [DONE]\n\n"


def stream(*frames: bytes) -> Callable[[Exchange], None]:
    """A mood that sends these frames and ends the connection in good order."""

    def play(exchange: Exchange) -> None:
        exchange.begin()
        for raw in frames:
            exchange.send(raw)

    return play


def refusal(status: int, **headers: str) -> Callable[[Exchange], None]:
    def play(exchange: Exchange) -> None:
        exchange.begin(status, "application/json", **headers)
        exchange.send(json.dumps({"error": {"message": f"no {ECHOED_KEY}", "type": "x", "code": str(status)}}).encode())

    return play


def hang(exchange: Exchange) -> None:
    exchange.hang()


def hang_amid(exchange: Exchange) -> None:
    exchange.begin()
    exchange.send(delta(role="assistant", content="hel"))
    exchange.hang()


def html(exchange: Exchange) -> None:
    exchange.begin(content_type="text/html")
    exchange.send(b"<html>gateway</html>")


def reset(exchange: Exchange) -> None:
    exchange.begin()
    exchange.send(delta(role="assistant", content="hel"))
    exchange.hang(0.2)
    exchange.reset()


def split(exchange: Exchange) -> None:
    """Every byte in a packet of its own, characters cut in the middle."""
    exchange.begin()
    for byte in delta(role="assistant", content="héllo \N{GRINNING FACE}") + delta("stop") + DONE:
        exchange.send(bytes([byte]))


def flood(exchange: Exchange) -> None:
    exchange.begin()
    for number in range(1_000):
        exchange.send(delta(content=f"{number} " + "x" * 10_000))


def obedient(exchange: Exchange) -> None:
    """Answers by the scripted model's rules, text by words and arguments in halves."""
    answer = reply(exchange.body["messages"], exchange.body.get("tools", []))
    exchange.begin()
    for raw in frames_of(answer):
        exchange.send(raw)


def verbose(exchange: Exchange) -> None:
    """Answers at such length as it is allowed, in no more than a few bytes."""
    most = exchange.body.get("max_completion_tokens") or exchange.body.get("max_tokens") or 1_000_000
    stream(delta(content="and so on"), delta("length"), usage(100, most, 0), DONE)(exchange)


def planned(exchange: Exchange, plan: Sequence[Reply]) -> None:
    """Gives the answer of the turn, which is the number of answers among the messages that it is sent."""
    turn = sum(message["role"] == "assistant" for message in exchange.body["messages"])
    exchange.begin()
    for raw in frames_of(plan[turn]):
        exchange.send(raw)


def frames_of(answer: Reply) -> Iterator[bytes]:
    yield delta(role="assistant", content="")
    for word in words_of(answer.text):
        yield delta(content=word)
    for index, wanted in enumerate(answer.calls):
        arguments = json.dumps(wanted.arguments, ensure_ascii=False)
        middle = len(arguments) // 2
        yield delta(tool_calls=[call(wanted.tool, arguments[:middle], f"call-{index}", index)])
        yield delta(tool_calls=[call("", arguments[middle:], index=index)])
    yield delta("tool_calls" if answer.calls else "stop")
    yield usage(prompt=120, completion=8, cached=64)
    yield DONE


def usage(prompt: int, completion: int, cached: int) -> bytes:
    figures = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return frame({**ANSWER, "choices": [], "usage": {**figures, "prompt_tokens_details": {"cached_tokens": cached}}})


def vectors(exchange: Exchange) -> None:
    """Embeds each text as how often it has each letter, and gives the last first."""
    texts = exchange.body["input"]
    told = [{"index": place, "embedding": letters_of(text)} for place, text in enumerate(texts)]
    send_vectors(exchange, told[::-1])


def few_vectors(exchange: Exchange) -> None:
    send_vectors(exchange, [{"index": 0, "embedding": [1.0, 0.0]}][: len(exchange.body["input"]) - 1])


def ragged_vectors(exchange: Exchange) -> None:
    send_vectors(exchange, [{"index": at, "embedding": [1.0] * (at + 1)} for at in range(len(exchange.body["input"]))])


def letters_of(text: str) -> list[float]:
    return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz "]


def send_vectors(exchange: Exchange, told: list[dict[str, Any]]) -> None:
    listed = [{"object": "embedding", **each} for each in told]
    exchange.begin(content_type="application/json")
    body = {"object": "list", "model": "m", "data": listed, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    exchange.send(json.dumps(body).encode())


HALF_CALL = delta(role="assistant", tool_calls=[call("send_mail", '{"to": "a@b', "t1")])
TWO_AT_ONE_INDEX = delta(tool_calls=[call("first", "{}", "t1"), call("second", "{}", "t2")])
STORM = tuple(delta(tool_calls=[call("ping", "{}", f"t{index}", index)]) for index in range(500))

MOODS: dict[str, Callable[[Exchange], None]] = {
    "ok": stream(delta(role="assistant", content="all "), delta(content="well"), delta("stop"), usage(12, 2, 0), DONE),
    "obedient": obedient,
    "verbose": verbose,
    "empty": stream(delta(role="assistant", content=""), delta("stop"), DONE),
    "hang": hang,
    "hangmid": hang_amid,
    "429": refusal(429, Retry_After="1"),
    "429long": refusal(429, Retry_After="300"),
    "500": refusal(500),
    "503": refusal(503),
    "400": refusal(400),
    "401": refusal(401),
    "404": refusal(404),
    "html": html,
    "trunc": stream(delta(role="assistant", content="hel"), delta(content="lo")),
    "truncheld": stream(delta(role="assistant", tool_calls=[call("send_mail", "{}", "t1")])),
    "rst": reset,
    "badjson": stream(delta(content="hel"), b'data: {"id": "c1", "choi\n\n', delta("stop"), DONE),
    "errmid": stream(delta(content="hel"), frame({"error": {"message": "overloaded", "code": 529}}), DONE),
    "flood": flood,
    "halftool": stream(HALF_CALL, delta("tool_calls"), DONE),
    "halftool_len": stream(HALF_CALL, delta("length"), DONE),
    "noid": stream(delta(tool_calls=[call("x", "{}")]), delta("tool_calls"), DONE),
    "dupidx": stream(TWO_AT_ONE_INDEX, delta("tool_calls"), DONE),
    "toolstorm": stream(*STORM, delta("tool_calls"), DONE),
    "nul": stream(delta(content="a\x00\x1b[31mred\u202eevil"), delta("stop"), DONE),
    "surrogate": stream(b'data: {"choices":[{"index":0,"delta":{"content":"a\\ud800b"}}]}\n\n', delta("stop"), DONE),
    "split": split,
    "nodone": stream(delta(content="whole"), delta("stop")),
}

EMBEDDING_MOODS = {"vectors": vectors, "few-vectors": few_vectors, "ragged-vectors": ragged_vectors}
"""How it answers texts that are to be embedded; refusals and silences are those of MOODS."""

GOOD_STREAM = b"".join(frames_of(Reply("All is well. " * 12, (WantedCall("get_forecast", {"city": "Oslo"}),))))


SILENT = ("hang", "hangmid")
"""Moods of which a client notices nothing but that nothing comes."""


def patience_with(mood: str, silence: float = 0.5) -> Patience:
    """`silence` in seconds with those that fall silent; those that answer may be slow on a machine that is at work."""
    idle = silence if mood in SILENT else 20.0
    return Patience(connect=10 * idle, idle=idle)


def mood_named(name: str, *, responds: bool) -> Callable[[Exchange], None]:
    if name.startswith("cut-"):
        return stream((GOOD_RESPONSE if responds else GOOD_STREAM)[: int(name.removeprefix("cut-"))])
    if name.startswith("says-"):
        return stream(delta(content=bytes.fromhex(name.removeprefix("says-")).decode()), delta("stop"), DONE)
    if responds and name in RESPONSES:
        return response(RESPONSES[name])
    return (MOODS | EMBEDDING_MOODS)[name]


def response(frames: Callable[[dict[str, Any]], Iterable[bytes]]) -> Callable[[Exchange], None]:
    def play(exchange: Exchange) -> None:
        try:
            sent = frames(exchange.body)
        except Refused as refused:
            exchange.begin(400, "application/json")
            exchange.send(json.dumps({"error": {"message": str(refused), "type": "invalid_request_error"}}).encode())
            return
        exchange.begin()
        for raw in sent:
            exchange.send(raw)

    return play


@dataclass
class ModelEndpoint:
    """A running endpoint; `requests` holds what it was sent, as (mood, headers, body). In the mood `planned` it follows `plan`."""

    port: int
    plan: Sequence[Reply] = ()
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)

    def url(self, mood: str = "obedient") -> str:
        """The base URL to configure a model with."""
        return f"http://127.0.0.1:{self.port}/v1/{mood}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.closing = threading.Event()
        self.endpoint = ModelEndpoint(self.server_port)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Silent: a test that fails says what happened."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        mood = self.path.split("/")[2]
        self.server.endpoint.requests.append((mood, {k.lower(): v for k, v in self.headers.items()}, body))
        exchange = Exchange(self, body, self.server.closing)
        try:
            if mood == "planned":
                planned(exchange, self.server.endpoint.plan)
            else:
                mood_named(mood, responds=self.path.endswith("/responses"))(exchange)
        except OSError:
            self.close_connection = True


@contextmanager
def running_endpoint() -> Iterator[ModelEndpoint]:
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.endpoint
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def model_endpoint() -> Iterator[ModelEndpoint]:
    with running_endpoint() as endpoint:
        yield endpoint
