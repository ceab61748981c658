"""Logs of Anthropic's Messages API: requests with their tools and, where the log has them, their answers."""

from collections.abc import Iterator
from typing import Any

from playground.foreign.anthropic_blocks import answer_of, blocks_of, user_messages
from playground.foreign.exchanges import Exchange, read_exchanges
from playground.foreign.records import Record
from playground.foreign.requests import answered_at, request_of, response_of
from playground.foreign.runs import Detail, ForeignRuns
from playground.foreign.values import dicts, tools_of, usage_of, words
from playground.transcript import Message

TITLE = "Anthropic messages"
_BLOCKS = {"tool_use", "tool_result", "server_tool_use", "tool_search_tool_result", "thinking"}


def holds(value: dict[str, Any]) -> bool:
    """Blocks, tools or an answer that only Anthropic writes so."""
    request, response = request_of(value), response_of(value)
    if any("input_schema" in tool for tool in dicts(request.get("tools"))) or response.get("type") == "message":
        return "messages" in request
    messages = [value] if "role" in value else list(dicts(request.get("messages")))
    return any(block.get("type") in _BLOCKS for message in messages for block in blocks_of(message.get("content")))


def read(text: str) -> ForeignRuns:
    """A record is a request, a request with its answer, or one message of a conversation."""
    return read_exchanges(text, _exchange, _messages)


def _exchange(record: Record) -> Exchange | None:
    request, response = request_of(record.value), response_of(record.value)
    if not isinstance(request.get("messages"), list):
        return None
    answer = answer_of(response["content"]) if "content" in response else None
    began, at, seconds = answered_at(record.value, response)
    return Exchange(
        record.line,
        tuple(_messages(dicts(request["messages"]))),
        (answer[0], *answer[1]) if answer else (),
        Detail(
            at,
            began,
            seconds,
            tools_of(request.get("tools")),
            usage_of(response.get("usage")),
            words(response.get("stop_reason")),
        ),
        words(response.get("model")) or words(request.get("model")),
        words(record.value.get("id")),
    )


def _messages(messages: Any) -> Iterator[Message]:
    names: dict[str, str] = {}
    for message in messages:
        if message.get("role") == "assistant":
            answer, replies = answer_of(message.get("content"))
            names |= {call.id: call.name for call in answer.calls}
            yield answer
            yield from replies
        elif message.get("role") == "user":
            yield from user_messages(message.get("content"), names)
