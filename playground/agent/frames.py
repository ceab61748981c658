"""Reading a model's stream as it comes over the wire, to tell a whole answer from one that was cut off.

Knows server-sent events (OpenAI and what is compatible, OpenAI's Responses, Anthropic, Gemini) and lines of JSON (Ollama).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from playground.agent.anthropic_pause import Content
from playground.agent.anthropic_search import SearchBlocks
from playground.agent.openai_search import SearchParts
from playground.transcript import ProviderSearch

LONGEST_LINE = 8_000_000
"""Bytes without a line break; beyond, the stream is bad."""


class FrameReader:
    """Fed with bytes as they arrive; says what has been seen so far.

    `asked` are searches that the provider began before it paused: their arguments by their ids.
    """

    def __init__(self, asked: Mapping[str, str] | None = None) -> None:
        self.ended = False
        """A terminal frame was seen: the provider means the answer to end there. What follows cannot spoil it."""
        self.reason = ""
        """Why it ended, in OpenAI's words."""
        self.told_usage = False
        self.problem = ""
        self.end_in_half_a_frame = False
        self.content = Content()
        self._blocks, self._parts = SearchBlocks(asked), SearchParts()
        self._over = False
        self._rest = b""
        self._event: list[bytes] = []

    @property
    def searches(self) -> list[ProviderSearch]:
        """Those that the provider made by itself and answered."""
        return [*self._blocks.found, *self._parts.found]

    def feed(self, raw: bytes) -> None:
        *lines, self._rest = (self._rest + raw).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            self._rest, self.problem = b"", "a line without end"
        for line in lines:
            self._take_line(line.rstrip(b"\r"))

    def finish(self) -> None:
        """The bytes are over. The last frame may lack its line break."""
        self._over = True
        self._take_line(self._rest.rstrip(b"\r"))
        self._take_line(b"")

    def _take_line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._event.append(line[5:].strip())
        elif line.startswith(b"{"):
            self._take_frame(line)
        elif not line and self._event:
            self._take_frame(b"\n".join(self._event))
            self._event = []

    def _take_frame(self, frame: bytes) -> None:
        if frame == b"[DONE]":
            self.ended = True
            return
        try:
            value = json.loads(frame)
        except (ValueError, RecursionError):
            self.end_in_half_a_frame = self._over
            self._note("" if self._over else "a frame that is not JSON")
            return
        if isinstance(value, dict):
            self._take_value(value)

    def _take_value(self, value: dict[str, Any]) -> None:
        if (error := _error(value)) is not None:
            self._note(_error_text(error))
        if reason := next(filter(None, _end_reasons(value)), ""):
            self.ended, self.reason = True, _OPENAI_REASONS.get(reason, reason)
        self.told_usage = self.told_usage or any(_usages(value))
        for watching in (self.content, self._blocks, self._parts):
            watching.take(value)

    def _note(self, problem: str) -> None:
        if not self.ended:
            self.problem = self.problem or problem


_OPENAI_REASONS = {"MAX_TOKENS": "length", "STOP": "stop", "SAFETY": "content_filter", "max_output_tokens": "length"}


def _end_reasons(value: dict[str, Any]) -> Iterator[str]:
    """Why an answer ends, if the frame is its last: OpenAI, Gemini, Anthropic, Ollama, Responses."""
    yield from (str(choice.get("finish_reason") or "") for choice in _dicts(value.get("choices")))
    yield from (str(candidate.get("finishReason") or "") for candidate in _dicts(value.get("candidates")))
    yield "stop" if value.get("type") == "message_stop" else ""
    yield str(value.get("done_reason") or "stop") if value.get("done") is True else ""
    match value:
        case {"type": "response.completed"}:
            yield "stop"
        case {"type": "response.incomplete", "response": {"incomplete_details": {"reason": str(reason)}}}:
            yield reason


def _usages(value: dict[str, Any]) -> Iterator[bool]:
    """Whether a frame gives token figures, in the same order."""
    yield bool(value.get("usage"))
    yield bool(value.get("usageMetadata"))
    yield any(message.get("usage") for message in _dicts([value.get("message")]))
    yield "prompt_eval_count" in value
    yield any(response.get("usage") for response in _dicts([value.get("response")]))


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (part for part in value if isinstance(part, dict))


def _error(value: dict[str, Any]) -> Any:
    """What went wrong amid an answer, as its frame tells it; None if nothing did. Responses tell it in either of two frames."""
    match value:
        case {"type": "response.failed", "response": {"error": error}}:
            return error or {}
        case {"type": "error"}:
            return value.get("error") or value
    return value.get("error") or None


def _error_text(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    return f"an error amid the answer: {message}" if isinstance(message, str) else "an error amid the answer"
