"""A streamed answer as it is kept: read from the wire, its pieces joined, clean of secrets that came in pieces."""

import json
from typing import Any

import pytest

from catalog.redaction import MASK, Redactor
from playground.agent.joined_frames import join_frames, read_frames

SECRET = "canary-0af3-91bc-77"


def sse(*frames: Any) -> bytes:
    return b"".join(f"event: x\ndata: {json.dumps(frame)}\n\n".encode() for frame in frames) + b"data: [DONE]\n\n"


def lines(*frames: Any) -> bytes:
    return "\n".join(map(json.dumps, frames)).encode()


def kept(raw: bytes) -> list[Any]:
    return join_frames(read_frames(raw), Redactor([SECRET]).text)


def openai(text: str) -> dict[str, Any]:
    return {"id": "a", "choices": [{"index": 0, "delta": {"content": text}}]}


def call(arguments: str) -> dict[str, Any]:
    return {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]}}]}


def anthropic(text: str, index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}


def responses(text: str, number: int) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "sequence_number": number, "item_id": "m", "delta": text}


def gemini(text: str, tokens: int) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": text}]}}], "usageMetadata": {"totalTokenCount": tokens}}


def ollama(text: str, at: str) -> dict[str, Any]:
    return {"created_at": at, "message": {"role": "assistant", "content": text}, "done": False}


STREAMS = {
    "OpenAI": sse(openai("Hel"), openai("lo "), openai("there")),
    "Responses": sse(responses("Hel", 1), responses("lo ", 2), responses("there", 3)),
    "Anthropic": sse(anthropic("Hel"), anthropic("lo "), anthropic("there")),
    "Gemini": sse(gemini("Hel", 1), gemini("lo ", 2), gemini("there", 3)),
    "Ollama": lines(ollama("Hel", "1"), ollama("lo ", "2"), ollama("there", "3")),
}


@pytest.mark.parametrize("raw", STREAMS.values(), ids=STREAMS)
def test_pieces_of_a_text_stand_together_whoever_sends_them(raw: bytes) -> None:
    (frame,) = kept(raw)
    assert "Hello there" in json.dumps(frame)


def test_figures_are_those_of_the_last_frame() -> None:
    assert kept(STREAMS["Gemini"])[0]["usageMetadata"] == {"totalTokenCount": 3}


def test_texts_that_come_at_the_same_time_are_kept_apart() -> None:
    told = kept(sse(anthropic("one", 0), anthropic("two", 1), anthropic(" more", 0)))
    assert [frame["delta"]["text"] for frame in told] == ["one more", "two"]


@pytest.mark.parametrize(
    "raw",
    [
        sse(openai(SECRET[:5]), openai(SECRET[5:])),
        sse(call('{"key": "' + SECRET[:9]), call(SECRET[9:] + '"}')),
        sse(anthropic(SECRET[:4]), anthropic("other", 1), anthropic(SECRET[4:])),
        sse(responses(SECRET[:12], 1), responses(SECRET[12:], 2)),
        sse({"strange": {"name": SECRET[:5]}}, {"strange": {"name": SECRET[5:]}}),
        lines(ollama(SECRET[:5], "1"), ollama(SECRET[5:], "2")),
    ],
)
def test_a_secret_that_comes_in_pieces_is_not_kept(raw: bytes) -> None:
    told = kept(raw)
    texts = json.dumps(told, ensure_ascii=False)
    assert MASK in texts
    assert SECRET[5:] not in texts and SECRET[:5] not in texts


def test_a_refusal_is_kept_as_the_json_that_it_is() -> None:
    assert kept(b'{"error": {"message": "no"}}') == [{"error": {"message": "no"}}]
    assert kept(b"<html>gone</html>") == ["<html>gone</html>"]
    assert kept(b"") == []


def test_a_stream_that_was_cut_off_keeps_what_came() -> None:
    assert kept(sse(openai("Hel"))[:-14] + b'data: {"choi')[0] == openai("Hel")
