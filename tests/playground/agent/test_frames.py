"""Telling a whole stream from one that was cut off, for every form of stream that is known; and the wire around it."""

import asyncio
import gzip
import json
from typing import Any

import httpx
import pytest

from playground.agent.chat_model import Finished, ModelFailed, Piece, TextPiece
from playground.agent.frames import LONGEST_LINE, FrameReader
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.spending import Prices, prices_by_million
from playground.agent.wire import Patience, WatchingTransport

OPENAI = b'data: {"choices": [{"delta": {"content": "hi"}}]}\n\ndata: {"choices": [{"finish_reason": "length"}]}\n\n'
ANTHROPIC_FRAMES: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "c",
            "content": [],
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hello"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
]
ANTHROPIC = b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in ANTHROPIC_FRAMES)
GEMINI = b'data: {"candidates": [{"content": {}, "finishReason": "MAX_TOKENS"}], "usageMetadata": {}}\r\n\r\n'
OLLAMA = (
    b'{"message": {"content": "hi"}, "done": false}\n{"done": true, "done_reason": "stop", "prompt_eval_count": 5}\n'
)


def read(raw: bytes, step: int = 7) -> FrameReader:
    reader = FrameReader()
    for start in range(0, len(raw), step):
        reader.feed(raw[start : start + step])
    reader.finish()
    return reader


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (OPENAI, "length"),
        (ANTHROPIC, "stop"),
        (GEMINI, "length"),
        (OLLAMA, "stop"),
        (b"data: [DONE]\n\n", ""),
        (b'data: {"choices": [{"finish_reason": "stop"}]}', "stop"),
        (OPENAI + b'data: {"usage": {"prompt_tok', "length"),
        (b'data:{"choices":\ndata: [{"finish_reason": "stop"}]}\n\n', "stop"),
    ],
    ids=["openai", "anthropic", "gemini", "ollama", "done", "no last break", "half a frame after the end", "two lines"],
)
def test_a_whole_stream_ends(raw: bytes, reason: str) -> None:
    reader = read(raw)
    assert (reader.ended, reader.reason, reader.problem) == (True, reason, "")


@pytest.mark.parametrize(
    "raw",
    [
        OPENAI[:60],
        ANTHROPIC[:-30],
        b'{"message": {"content": "hi"}, "done": false}\n',
        b"<html>gateway</html>",
        b": keep-alive\n\n",
        b"",
    ],
    ids=["openai", "anthropic", "ollama", "html", "comments", "nothing"],
)
def test_a_stream_that_was_cut_off_does_not_end(raw: bytes) -> None:
    assert not read(raw).ended


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b'data: {"id": "c1", "choi\n\n' + OPENAI, "a frame that is not JSON"),
        (b'data: {"error": {"message": "overloaded"}}\n\n', "an error amid the answer: overloaded"),
        (b'data: {"type": "error", "error": {"type": "x"}}\n\n', "an error amid the answer"),
        (b'{"error": "out of memory"}\n', "an error amid the answer: out of memory"),
        (b"data: " + b"[" * 100_000 + b"\n\n", "a frame that is not JSON"),
    ],
)
def test_a_bad_frame_is_a_problem(raw: bytes, problem: str) -> None:
    assert read(raw, 1_000).problem == problem


def test_a_line_without_end_is_a_problem() -> None:
    assert read(b"x" * (LONGEST_LINE + 100_000), 100_000).problem == "a line without end"


@pytest.mark.parametrize(("raw", "told"), [(OPENAI, False), (ANTHROPIC, True), (OLLAMA, True)])
def test_whether_the_provider_gave_figures(raw: bytes, told: bool) -> None:
    assert read(raw).told_usage is told


class Playing(httpx.AsyncBaseTransport):
    """Answers every request with these bytes; keeps the timeouts that it was given."""

    def __init__(self, body: bytes, **headers: str) -> None:
        self.timeouts: Any = None
        self._body = body
        self._headers = headers

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.timeouts = request.extensions["timeout"]
        return httpx.Response(200, headers=self._headers, content=self._body, request=request)


def ask_anthropic(body: bytes, name: str = "anthropic/c") -> list[Piece]:
    return ask(LiteLLMModel(name, api_key="a-secret-key", open_transport=lambda: Playing(body)))


def ask(model: LiteLLMModel) -> list[Piece]:
    async def drain() -> list[Piece]:
        return [piece async for piece in model.stream([{"role": "user", "content": "Hi"}], [])]

    return asyncio.run(drain())


def test_another_providers_whole_answer_is_one() -> None:
    assert ask_anthropic(ANTHROPIC) == [TextPiece("hello"), Finished("stop", 9, 3, 0)]


def test_another_providers_answer_that_was_cut_off_is_none() -> None:
    with pytest.raises(ModelFailed, match="the connection ended before the answer did"):
        ask_anthropic(ANTHROPIC[:-40])


def test_a_compressed_answer_is_read() -> None:
    inner = Playing(gzip.compress(OPENAI), **{"content-encoding": "gzip"})
    wire = WatchingTransport(inner, Patience(connect=3.0, idle=7.0))

    async def get() -> bytes:
        async with httpx.AsyncClient(transport=wire) as client:
            return (await client.get("http://model.example/")).content

    assert asyncio.run(get()) == OPENAI
    assert wire.came_whole
    assert inner.timeouts == {"connect": 3.0, "read": 7.0, "write": 7.0, "pool": 3.0}


def test_what_anthropic_read_from_its_cache_and_wrote_to_it_is_told_with_its_prices() -> None:
    usage = {"input_tokens": 9, "cache_read_input_tokens": 600, "cache_creation_input_tokens": 100, "output_tokens": 1}
    start = {**ANTHROPIC_FRAMES[0], "message": {**ANTHROPIC_FRAMES[0]["message"], "usage": usage}}
    frames = b"".join(
        f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in (start, *ANTHROPIC_FRAMES[1:])
    )
    end = ask_anthropic(frames, "anthropic/claude-sonnet-4-5")[-1]
    assert isinstance(end, Finished) and end.prices is not None
    assert (end.prompt_tokens, end.cached_tokens, end.written_tokens, end.completion_tokens) == (709, 600, 100, 3)
    assert end.prices.cached < end.prices.prompt < end.prices.written < end.prices.completion


def test_tokens_of_reasoning_are_told() -> None:
    figures = {"prompt_tokens": 10, "completion_tokens": 9, "total_tokens": 19}
    told = {"choices": [], "usage": {**figures, "completion_tokens_details": {"reasoning_tokens": 7}}}
    body = OPENAI + f"data: {json.dumps(told)}\n\n".encode()
    prices = prices_by_million(1.0, 2.0)
    model = LiteLLMModel("openai/gpt-5-mini", api_key="k", open_transport=lambda: Playing(body), prices=prices)
    assert ask(model)[-1] == Finished("length", 10, 9, reasoning_tokens=7, prices=prices)


@pytest.mark.parametrize(
    ("name", "url", "prices"),
    [
        ("openai/no-such-model", "", None),
        ("openai/gpt-5-mini", "http://models.test/v1", None),
        ("openai/gpt-5-mini", "http://models.test/v1", prices_by_million(1.0, 2.0)),
        ("openai/gpt-5-mini", "", prices_by_million(1.0, 2.0)),
    ],
    ids=["not in the table", "an address of one's own", "written down for it", "written down over the table"],
)
def test_whose_prices_count(name: str, url: str, prices: Prices | None) -> None:
    end = ask(LiteLLMModel(name, url, "k", open_transport=lambda: Playing(OPENAI), prices=prices))[-1]
    assert isinstance(end, Finished) and end.prices == prices
