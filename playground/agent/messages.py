"""A transcript in the form that OpenAI-compatible endpoints take, made so that every provider accepts it."""

from collections.abc import Collection, Iterator
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from playground.agent.chat_model import ChatMessage
from playground.modes.protocol import Offer
from playground.transcript import (
    AssistantMessage,
    BadArguments,
    Message,
    ToolCall,
    ToolMessage,
    Transcript,
    UserMessage,
)

UNFINISHED = "This call was never finished."
"""Said of a call whose answer is missing, as in a run that was stopped: providers refuse a call without an answer."""


def system_text(offer: Offer, today: date | None = None, instructions: str = "") -> str:
    """`instructions` are an agent's own and come first."""
    day = f"Today is {today:%A}, {today.isoformat()}." if today else ""
    return "\n\n".join(part for part in (instructions, offer.instructions, day) if part)


def to_chat(system: str, transcript: Transcript, reminder: str = "", handed: Collection[str] = ()) -> list[ChatMessage]:
    """`reminder` stands in the user's place, before the conversation.

    Searches that a provider made are told only to one that is `handed` hidden tools again, and of what they found only
    those names: another refuses them.
    """
    answered = {message.call_id for message in transcript if isinstance(message, ToolMessage)}
    messages: list[ChatMessage] = [{"role": "system", "content": system}]
    if reminder:
        messages.append({"role": "user", "content": reminder})
    for message in transcript:
        messages.extend(_chat_messages(_searched_among(message, handed), answered))
    return messages


def _searched_among(message: Message, handed: Collection[str]) -> Message:
    """The message with those searches that may be told."""
    if not isinstance(message, AssistantMessage) or not message.searches:
        return message
    found = (
        replace(search, names=tuple(name for name in search.names if name in handed)) for search in message.searches
    )
    return replace(message, searches=tuple(found) if handed else ())


def _chat_messages(message: Message, answered: set[str]) -> Iterator[dict[str, Any]]:
    match message:
        case UserMessage(text):
            yield {"role": "user", "content": text}
        case AssistantMessage(text, calls, searches) if text or calls or searches:
            yield {"role": "assistant", "content": text or None, **_calls_and_searches(message)}
            for call in calls:
                if call.id not in answered:
                    yield {"role": "tool", "tool_call_id": call.id, "content": UNFINISHED}
        case ToolMessage():
            yield {"role": "tool", "tool_call_id": message.call_id, "content": message.content}


def _calls_and_searches(message: AssistantMessage) -> dict[str, Any]:
    """Each key only where there are some."""
    parts = {
        "tool_calls": [_chat_call(call) for call in message.calls],
        "searches": [asdict(search) for search in message.searches],
    }
    return {key: part for key, part in parts.items() if part}


def _chat_call(call: ToolCall) -> dict[str, Any]:
    """Broken arguments go back as `{}`: some adapters parse them, and the tool's message says what was wrong."""
    try:
        call.read_arguments()
        arguments = call.arguments or "{}"
    except BadArguments:
        arguments = "{}"
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}
