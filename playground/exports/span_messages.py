"""Messages in the parts that OpenTelemetry's semantic conventions for GenAI write them in."""

from collections.abc import Iterable
from typing import Any

from playground.agent.events import CallMade, OfferMade, TextStreamed
from playground.runs.state import Recorded
from playground.transcript import AssistantMessage, BadArguments, Message, ToolCall, ToolMessage, UserMessage

Part = dict[str, Any]


def told_messages(messages: Iterable[Message]) -> list[Part]:
    return [_told(message) for message in messages]


def answer_parts(turn: int, following: Iterable[Recorded], finish_reason: str) -> list[Part]:
    """The answer of a turn, of the events behind its offer."""
    text, calls = [], []
    for _, _, event in following:
        match event:
            case OfferMade():
                break
            case TextStreamed(text=piece):
                text.append(piece)
            case CallMade(call_id=call_id, tool=tool, arguments=arguments):
                calls.append(ToolCall(call_id, tool, arguments))
    return [{"role": "assistant", "parts": _answer("".join(text), calls), "finish_reason": finish_reason}]


def _told(message: Message) -> Part:
    match message:
        case UserMessage(text):
            return {"role": "user", "parts": [_text(text)]}
        case AssistantMessage(text, calls, searches):
            searched = [ToolCall(search.id, "tool_search", search.arguments or "{}") for search in searches]
            return {"role": "assistant", "parts": _answer(text, (*searched, *calls))}
        case ToolMessage(call_id, _, content):
            return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": content}]}


def _answer(text: str, calls: Iterable[ToolCall]) -> list[Part]:
    return [*([_text(text)] if text else []), *(_call(call) for call in calls)]


def _call(call: ToolCall) -> Part:
    try:
        arguments: Any = call.read_arguments()
    except BadArguments:
        arguments = call.arguments
    return {"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments}


def _text(text: str) -> Part:
    return {"type": "text", "content": text}
