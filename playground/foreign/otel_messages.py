"""Messages as OpenTelemetry's semantic conventions for GenAI keep them on spans: now, in their older events, and flattened."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from playground.foreign.openai_chat import messages_of as chat_messages
from playground.foreign.openai_chat import text_of
from playground.foreign.otlp import Span
from playground.foreign.values import compact, dicts, mapping, parsed, words
from playground.transcript import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage

OLD_EVENTS = ("gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message")
CHOICE = "gen_ai.choice"
DETAILS = ("gen_ai.client.inference.operation.details", "gen_ai.client.inference.details")
_FLAT = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,4})\.(role|content|finish_reason|tool_call_id)")
_FLAT_CALL = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,4})\.tool_calls\.(\d{1,3})\.(id|name|arguments)")


def sent_of(span: Span) -> tuple[Message, ...] | None:
    """What the model was sent, without the system text; None where the log does not have it."""
    told = _attribute(span, "gen_ai.input.messages")
    if told is not None:
        return tuple(_of_parts(dicts(told)))
    old = [message for name, event in span.events if name in OLD_EVENTS for message in old_messages(name, event)]
    if old:
        return tuple(chat_messages(old))
    flat = _flat(span, "prompt")
    return tuple(chat_messages(flat)) if flat else None


def answer_of(span: Span) -> tuple[Message, ...] | None:
    """What it answered; None where the log does not have it."""
    told = _attribute(span, "gen_ai.output.messages")
    if told is not None:
        return tuple(_of_parts([{"role": "assistant", **message} for message in dicts(told)][:1]))
    choices = [_choice(event) for name, event in span.events if name == CHOICE]
    flat = choices[:1] or _flat(span, "completion")[:1]
    return tuple(chat_messages([{**flat[0], "role": "assistant"}])) if flat else None


def call_texts(span: Span) -> tuple[Any, Any]:
    """Of a call's own span its arguments and its answer, each None where the log does not have it."""
    events = {name: event for name, event in span.events if name in ("gen_ai.tool.message", CHOICE)}
    asked, answered = events.get("gen_ai.tool.message", {}), events.get(CHOICE, {})
    arguments = span.attributes.get("gen_ai.tool.call.arguments", asked.get("content"))
    return arguments, span.attributes.get("gen_ai.tool.call.result", answered.get("message"))


def finish_reason(span: Span) -> str:
    reasons = parsed(span.attributes.get("gen_ai.response.finish_reasons"))
    told = [words(reason) for reason in reasons] if isinstance(reasons, list) else [words(reasons)]
    outputs = dicts(_attribute(span, "gen_ai.output.messages"))
    told += [words(message.get("finish_reason")) for message in outputs]
    told += [words(event.get("finish_reason")) for name, event in span.events if name == CHOICE]
    return next(filter(None, told), "")


def _attribute(span: Span, name: str) -> Any:
    """Of the span, or of the event that holds its content."""
    kept = [span.attributes, *(event for event_name, event in span.events if event_name in DETAILS)]
    found = next((attributes[name] for attributes in kept if name in attributes), None)
    return parsed(found) if isinstance(parsed(found), list) else None


def _of_parts(messages: Iterable[dict[str, Any]]) -> Iterator[Message]:
    """Messages made of parts; where a message has `content` in their place, as OpenAI writes it."""
    names: dict[str, str] = {}
    for place, message in enumerate(messages):
        if not isinstance(message.get("parts"), list):
            yield from chat_messages([message])
            continue
        parts = list(dicts(message["parts"]))
        calls = tuple(
            _call(part, f"call-{place}-{n}") for n, part in enumerate(parts) if part.get("type") == "tool_call"
        )
        names |= {call.id: call.name for call in calls}
        text = text_of([{**part, "text": part.get("content")} for part in parts if _is_said(part)])
        if message.get("role") == "assistant":
            yield AssistantMessage(text, calls)
        yield from (_reply(part, names) for part in parts if part.get("type") == "tool_call_response")
        if message.get("role") == "user" and text:
            yield UserMessage(text)


def _is_said(part: dict[str, Any]) -> bool:
    return part.get("type") not in ("tool_call", "tool_call_response", "reasoning")


def _call(part: dict[str, Any], otherwise: str) -> ToolCall:
    arguments = part.get("arguments")
    written = arguments if isinstance(arguments, str) else compact(arguments if arguments is not None else {})
    return ToolCall(words(part.get("id")) or otherwise, words(part.get("name")), written)


def _reply(part: dict[str, Any], names: dict[str, str]) -> ToolMessage:
    response = part.get("response", part.get("result"))
    call_id = words(part.get("id"))
    return ToolMessage(call_id, names.get(call_id, ""), response if isinstance(response, str) else compact(response))


def old_messages(name: str, event: dict[str, Any]) -> list[dict[str, Any]]:
    """One event as messages; Bedrock's parts, which Strands writes, may hold the answers to several calls."""
    role = name.removeprefix("gen_ai.").removesuffix(".message")
    parts = list(dicts(parsed(event.get("content"))))
    results = [mapping(part.get("toolResult")) for part in parts if "toolResult" in part]
    if results:
        return [
            {"role": "tool", "tool_call_id": result.get("toolUseId"), "content": _content(result.get("content"))}
            for result in results
        ]
    calls = _uses(parts) or parsed(event.get("tool_calls"))
    content = _content(event.get("content"))
    return [{"role": role, "content": content, "tool_calls": calls, "tool_call_id": event.get("id")}]


def _choice(event: dict[str, Any]) -> dict[str, Any]:
    message = parsed(event.get("message"))
    if isinstance(message, dict):
        return {**message, "content": _content(message.get("content")), "tool_calls": parsed(message.get("tool_calls"))}
    if isinstance(message, list):
        return {"content": _content(message), "tool_calls": _uses(dicts(message))}
    return {"content": message or event.get("content"), "tool_calls": parsed(event.get("tool_calls"))}


def _uses(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    uses = [mapping(part.get("toolUse")) for part in parts if "toolUse" in part]
    return [{"id": use.get("toolUseId"), "name": use.get("name"), "arguments": use.get("input")} for use in uses]


def _content(content: Any) -> Any:
    """A text, or parts of one without calls."""
    found = parsed(content)
    if isinstance(found, list):
        return [part for part in dicts(found) if "text" in part]
    return content


def _flat(span: Span, side: str) -> list[dict[str, Any]]:
    """`gen_ai.prompt.0.content` and its like, in the order of their numbers."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in span.attributes.items():
        if (match := _FLAT.fullmatch(name)) and match[1] == side:
            found.setdefault(int(match[2]), {})[match[3]] = value
        elif (match := _FLAT_CALL.fullmatch(name)) and match[1] == side:
            calls = found.setdefault(int(match[2]), {}).setdefault("by_number", {})
            calls.setdefault(int(match[3]), {})[match[4]] = value
    for message in found.values():
        message["tool_calls"] = [call for _, call in sorted(message.pop("by_number", {}).items())]
    return [message for _, message in sorted(found.items())]
