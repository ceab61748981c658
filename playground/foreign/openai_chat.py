"""Logs of OpenAI's chat completions, and of what is compatible: requests, requests with answers, or bare messages."""

from collections.abc import Iterable, Iterator
from typing import Any

from playground.foreign.exchanges import Exchange, read_exchanges
from playground.foreign.records import Record
from playground.foreign.requests import answered_at, request_of, response_of
from playground.foreign.runs import Detail, ForeignRuns
from playground.foreign.values import compact, dicts, mapping, tools_of, usage_of, words
from playground.transcript import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage

TITLE = "OpenAI chat completions"


def holds(value: dict[str, Any]) -> bool:
    request = request_of(value)
    if isinstance(request.get("messages"), list):
        return True
    return words(value.get("role")) in ("system", "developer", "user", "assistant", "tool") and "type" not in value


def read(text: str) -> ForeignRuns:
    """A record is a request, a request with its answer, or one message of a conversation."""
    return read_exchanges(text, _exchange, messages_of)


def messages_of(messages: Iterable[dict[str, Any]]) -> Iterator[Message]:
    """The conversation without its system text."""
    names: dict[str, str] = {}
    for place, message in enumerate(messages):
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "user":
            yield UserMessage(text)
        elif role == "assistant":
            calls = tuple(_calls(message, place))
            names |= {call.id: call.name for call in calls}
            yield AssistantMessage(text or words(message.get("refusal")), calls)
        elif role in ("tool", "function"):
            name = words(message.get("name"))
            call_id = words(message.get("tool_call_id")) or next((id_ for id_ in names if names[id_] == name), name)
            yield ToolMessage(call_id, names.get(call_id, name), text)


def text_of(content: Any) -> str:
    """Texts and parts of texts; what is no text is named."""
    if isinstance(content, str) or content is None:
        return content or ""
    return "\n\n".join(filter(None, map(_part, dicts(content)))) if isinstance(content, list) else compact(content)


def _part(part: dict[str, Any]) -> str:
    found = part.get("text") or part.get("refusal")
    return found if isinstance(found, str) else f"[{words(part.get('type')) or 'content'}]"


def _calls(message: dict[str, Any], place: int) -> Iterator[ToolCall]:
    made = list(dicts(message.get("tool_calls")))
    if old := mapping(message.get("function_call")):
        made.append({"id": f"call-{place}", "function": old})
    for number, call in enumerate(made, start=1):
        told = mapping(call.get("function")) or mapping(call.get("custom")) or call
        arguments = told.get("arguments", told.get("input", ""))
        written = arguments if isinstance(arguments, str) else compact(arguments)
        yield ToolCall(words(call.get("id")) or f"call-{place}-{number}", words(told.get("name")), written)


def _exchange(record: Record) -> Exchange | None:
    request, response = request_of(record.value), response_of(record.value)
    if not isinstance(request.get("messages"), list):
        return None
    choice = next(dicts(response.get("choices")), {})
    answered = mapping(choice.get("message"))
    answer = tuple(messages_of([{"role": "assistant", **answered}])) if answered else ()
    began, at, seconds = answered_at(record.value, response)
    return Exchange(
        record.line,
        tuple(messages_of(dicts(request["messages"]))),
        answer,
        Detail(
            at,
            began,
            seconds,
            tools_of(request.get("tools", request.get("functions"))),
            usage_of(response.get("usage")),
            words(choice.get("finish_reason")),
        ),
        words(response.get("model")) or words(request.get("model")),
        words(record.value.get("conversation_id")) or words(record.value.get("custom_id")),
    )
