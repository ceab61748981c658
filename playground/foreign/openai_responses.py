"""Logs of OpenAI's Responses API: requests with answers, lists of output, and what Codex keeps of its sessions."""

from collections.abc import Iterable
from typing import Any

from playground.foreign.exchanges import Exchange, read_exchanges
from playground.foreign.records import Record, each
from playground.foreign.requests import answered_at, request_of, response_of
from playground.foreign.responses_output import messages_of, with_parts
from playground.foreign.runs import Conversation, Detail, ForeignRuns
from playground.foreign.telling import tell
from playground.foreign.values import dicts, mapping, moment, tools_of, usage_of, words
from playground.transcript import AssistantMessage, Message, UserMessage

TITLE = "OpenAI Responses"
_KINDS = ("function_call", "tool_search_", "reasoning", "message", "custom_tool_call", "mcp_call")
_LINE = "response_item"
"""The type of a line of a Codex session that holds a part of the conversation."""


def holds(value: dict[str, Any]) -> bool:
    if value.get("type") in (_LINE, "session_meta", "turn_context") and "payload" in value:
        return True
    request = request_of(value)
    if "messages" in request or value.get("object") == "chat.completion":
        return False
    whole = "input" in request and isinstance(request["input"], str | list)
    return whole or value.get("object") == "response" or words(value.get("type")).startswith(_KINDS)


def read(text: str) -> ForeignRuns:
    """A record is a request with its answer, an answer alone, a part of a conversation, or a line of a Codex session."""
    records = list(each(text))
    if any(record.value.get("type") == _LINE for record in records):
        return ForeignRuns.of([tell(_session(records))], [])
    return read_exchanges(text, _exchange, messages_of)


def _exchange(record: Record) -> Exchange | None:
    request, response = request_of(record.value), response_of(record.value)
    if "input" not in request and not isinstance(response.get("output"), list):
        return None
    began, at, seconds = answered_at(record.value, response)
    tools = request.get("tools", response.get("tools"))
    return Exchange(
        record.line,
        tuple(_sent(request.get("input"))),
        tuple(messages_of(dicts(response.get("output")))),
        Detail(at, began, seconds, tools_of(tools), usage_of(response.get("usage")), _reason(response)),
        words(response.get("model")) or words(request.get("model")),
    )


def _sent(told: Any) -> Iterable[Message]:
    return [UserMessage(told)] if isinstance(told, str) else messages_of(dicts(told))


def _reason(response: dict[str, Any]) -> str:
    if any(part.get("type") == "function_call" for part in dicts(response.get("output"))):
        return "tool_calls"
    return words(mapping(response.get("incomplete_details")).get("reason")) or words(response.get("status"))


def _session(records: list[Record]) -> Conversation:
    """A Codex session. The log has neither the tools of its requests nor, but for the first, their system text."""
    conversation = Conversation("session")
    parts: list[dict[str, Any]] = []
    for record in records:
        payload = mapping(record.value.get("payload"))
        match record.value.get("type"):
            case "session_meta":
                conversation.origin = words(payload.get("id")) or conversation.origin
            case "turn_context":
                conversation.model = words(payload.get("model")) or conversation.model
            case kind if kind == _LINE:
                parts.append({**payload, "at": record.value.get("timestamp")})
    for message, last in with_parts(parts):
        at = moment(last.get("at"))
        began = at if isinstance(message, AssistantMessage) else None
        conversation.told.append((message, Detail(at=at, began=began)))
    return conversation
