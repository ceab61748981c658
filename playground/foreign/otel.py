"""Spans of OpenTelemetry by its semantic conventions for GenAI: each call of a model is a turn, each execute_tool a call."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from playground.foreign.otel_messages import answer_of, call_texts, finish_reason, sent_of
from playground.foreign.otlp import Span, logs_of, spans_of
from playground.foreign.records import each
from playground.foreign.runs import Conversation, Detail, ForeignRuns, Problem, Usage
from playground.foreign.telling import tell
from playground.foreign.values import compact, first_count, parsed, tools_of, words
from playground.transcript import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage

TITLE = "OpenTelemetry spans"
_MODEL = ("chat", "text_completion", "generate_content", "completion")
_LATE = datetime.max.replace(tzinfo=UTC)


def holds(value: dict[str, Any]) -> bool:
    return any(name in value for name in ("resourceSpans", "resource_spans", "resourceLogs"))


def read(text: str) -> ForeignRuns:
    """A thread for each conversation, or agent, or else each trace."""
    spans: list[Span] = []
    events: list[tuple[str, str, dict[str, Any]]] = []
    for record in each(text):
        spans += spans_of(record.line, record.value)
        events += logs_of(record.value)
    by_id = {span.id: span for span in spans}
    for span_id, name, event in events:
        if span_id in by_id:
            by_id[span_id].events.append((name, event))
    groups: dict[str, list[Span]] = {}
    for span in sorted(spans, key=lambda span: (span.began or _LATE, span.ended or _LATE)):
        groups.setdefault(_group(span, by_id), []).append(span)
    problems = [] if any(map(_is_turn, spans)) else [Problem(0, "It holds no span of a call of a model.")]
    return ForeignRuns.of((tell(_conversation(key, group)) for key, group in groups.items()), problems)


def _is_turn(span: Span) -> bool:
    return span.text("gen_ai.operation.name", "llm.request.type") in _MODEL


def _group(span: Span, by_id: dict[str, Span]) -> str:
    """The agent that a span is nested under tells conversations of one trace apart."""
    above, agent, steps = by_id.get(span.parent), "", 0
    while above is not None and steps < 100:
        if above.text("gen_ai.operation.name") == "invoke_agent":
            agent = above.id
            break
        above, steps = by_id.get(above.parent), steps + 1
    conversation = span.text("gen_ai.conversation.id", "session.id")
    return conversation or f"{span.trace} {agent}".strip() or "trace"


def _conversation(origin: str, spans: Iterable[Span]) -> Conversation:
    conversation = Conversation(origin)
    calls = {}
    for span in spans:
        if _is_turn(span):
            _take_turn(conversation, span)
        elif span.text("gen_ai.operation.name") == "execute_tool":
            calls[span.text("gen_ai.tool.call.id") or f"{span.trace}-{span.id}"] = span
    for call_id, span in calls.items():
        _take_call(conversation, call_id, span)
    return conversation


def _take_turn(conversation: Conversation, span: Span) -> None:
    """What it was sent and the conversation does not have yet, then its answer."""
    sent, answer = sent_of(span), answer_of(span)
    known = Counter(_mark(message) for message, _ in conversation.told)
    for message in sent or ():
        known[_mark(message)] -= 1
        if known[_mark(message)] < 0:
            _take_sent(conversation, message, span)
    conversation.model = span.text("gen_ai.response.model", "gen_ai.request.model") or conversation.model
    if span.failed:
        conversation.ending = f"The model could not be asked: {span.failure or span.text('error.type') or 'an error'}."
        return
    conversation.ending = ""
    unknown = ("text", "arguments") if answer is None else ()
    detail = Detail(
        span.ended,
        span.began,
        span.seconds,
        tools_of(span.attributes.get("gen_ai.tool.definitions")),
        _usage(span),
        finish_reason(span),
        unknown=unknown,
    )
    for message in answer or (AssistantMessage(""),):
        conversation.told.append((message, detail if isinstance(message, AssistantMessage) else Detail(span.ended)))


def _take_sent(conversation: Conversation, message: Message, span: Span) -> None:
    """A message that the conversation lacks; an answer may be the one that its own span did not tell."""
    last = conversation.told[-1] if conversation.told else None
    if last and isinstance(message, AssistantMessage) and "text" in last[1].unknown:
        conversation.told[-1] = (message, replace(last[1], unknown=()))
    else:
        conversation.told.append((message, Detail(at=span.began)))


def _mark(message: Message) -> tuple[str, ...]:
    match message:
        case UserMessage(text):
            return ("user", text.strip())
        case AssistantMessage(text, calls):
            return ("assistant", text.strip(), *(call.id for call in calls))
        case ToolMessage(call_id):
            return ("tool", call_id)


def _take_call(conversation: Conversation, call_id: str, span: Span) -> None:
    """What its own span tells of a call: how long it took, and, where no message has them, its arguments and its answer."""
    arguments, result = map(_json, call_texts(span))
    tool = span.text("gen_ai.tool.name") or span.name.removeprefix("execute_tool ")
    for place, (message, detail) in enumerate(conversation.told):
        if isinstance(message, ToolMessage) and message.call_id == call_id:
            seconds = Detail(span.ended, seconds=span.seconds, unknown=detail.unknown)
            conversation.told[place] = (replace(message, is_error=span.failed), seconds)
            return
    made = _turn_before(conversation, call_id, span)
    if made is None:
        return
    turn, answer = made
    detail = conversation.told[turn][1]
    if all(call.id != call_id for call in answer.calls):
        calls = (*answer.calls, ToolCall(call_id, tool, arguments or ""))
        unknown = tuple(name for name in detail.unknown if name != "arguments" or arguments is None)
        conversation.told[turn] = (replace(answer, calls=calls), replace(detail, unknown=unknown))
    lacking = () if result is not None else ("content",)
    reply = ToolMessage(call_id, tool, result or "", is_error=span.failed)
    after = turn + 1
    while after < len(conversation.told) and isinstance(conversation.told[after][0], ToolMessage):
        after += 1
    conversation.told.insert(after, (reply, Detail(span.ended, seconds=span.seconds, unknown=lacking)))


def _turn_before(conversation: Conversation, call_id: str, span: Span) -> tuple[int, AssistantMessage] | None:
    """The answer that made the call; else the last one before the call began whose own calls are not known."""
    found = None
    for place, (message, detail) in enumerate(conversation.told):
        if not isinstance(message, AssistantMessage):
            continue
        if any(call.id == call_id for call in message.calls):
            return place, message
        if "arguments" in detail.unknown or not message.calls:
            early = detail.at is None or span.began is None or detail.at <= span.began
            found = (place, message) if early else found
    return found


def _usage(span: Span) -> Usage:
    def told(*names: str) -> int | None:
        return first_count(*(span.attributes.get(f"gen_ai.usage.{name}") for name in names))

    return Usage(
        told("input_tokens", "prompt_tokens"),
        told("output_tokens", "completion_tokens"),
        told("cache_read.input_tokens", "cache_read_input_tokens"),
        told("cache_creation.input_tokens", "cache_creation_input_tokens"),
        told("reasoning.output_tokens", "reasoning_tokens"),
    )


def _json(value: Any) -> str | None:
    if value is None:
        return None
    return words(value) if isinstance(value, str) else compact(parsed(value))
