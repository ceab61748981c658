"""What one model call sends, part by part, and how far it begins as the call before it did.

Providers keep the beginning of a prompt, in the order tools, system text, messages: what lies before the first part that
differs need not be read anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalog.prompt_size import estimate_messages
from playground.agent.chat_model import ChatMessage
from playground.agent.events import PromptPrefix

EXCERPT = 40
"""Characters of the system text that are shown where it changed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A tool or a message as it is sent, what it is called on a page, and its estimated tokens."""

    name: str
    sent: ChatMessage
    tokens: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system text is the first of the messages."""

    tools: tuple[Part, ...]
    messages: tuple[Part, ...]

    @property
    def message_tokens(self) -> int:
        return sum(part.tokens for part in self.messages)

    @property
    def tokens(self) -> int:
        return self.message_tokens + sum(part.tokens for part in self.tools)


NOTHING_SENT = Prompt((), ())


def read_messages(messages: Sequence[ChatMessage], before: Prompt, *, reminded: bool) -> tuple[Part, ...]:
    """The messages as parts; those that begin the prompt before are not estimated again.

    `reminded`: the second message is the reminder. Estimating takes milliseconds a megabyte: not for the event loop.
    """
    names = ["the system text", *(["the reminder"] if reminded else [])]
    numbered = [*names, *(f"message {number}" for number in range(1, len(messages) - len(names) + 1))]
    known = _alike([part.sent for part in before.messages], messages)
    return tuple(
        before.messages[place] if place < known else Part(name, message, estimate_messages([message]))
        for place, (name, message) in enumerate(zip(numbered, messages, strict=True))
    )


def compare_prompts(before: Prompt, now: Prompt) -> PromptPrefix:
    """`before` is the run's last prompt, or NOTHING_SENT, which nothing can break."""
    tools = _alike(*([part.sent for part in prompt.tools] for prompt in (before, now)))
    messages = _alike(*([part.sent for part in prompt.messages] for prompt in (before, now)))
    kept = sum(part.tokens for part in now.tools[:tools])
    if tools == len(before.tools) == len(now.tools):
        kept += sum(part.tokens for part in now.messages[:messages])
    broke, appended = "", 0
    if tools < len(before.tools):
        broke = f"tools: {_how_tools_differ(before.tools, now.tools, tools)}"
    else:
        appended = len(now.tools) - len(before.tools) if before.tools else 0
        if messages < len(before.messages):
            broke = _how_messages_differ(before.messages, now.messages, messages)
    return PromptPrefix(kept, appended, broke)


def _alike(before: Sequence[Any], now: Sequence[Any]) -> int:
    """How many at the beginning both share."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(now)))


def _how_tools_differ(before: Sequence[Part], now: Sequence[Part], place: int) -> str:
    old = before[place].name
    if place == len(now):
        return f"{old} was taken away"
    new = now[place].name
    if new == old:
        return f"the definition of {old} changed"
    if any(part.name == new for part in before) and all(part.name != old for part in now):
        return f"{old} was taken away"
    if any(part.name == old for part in now) and all(part.name != new for part in before):
        return f"{new} was put before {old}"
    return f"{new} now stands where {old} was"


def _how_messages_differ(before: Sequence[Part], now: Sequence[Part], place: int) -> str:
    old = before[place]
    if place == len(now):
        return f"{old.name} was taken away"
    if place:
        return f"{old.name} changed"
    was, told = str(old.sent["content"]), str(now[0].sent["content"])
    at = _alike(was, told)
    return f"{old.name} changed at “{' '.join(told[at : at + EXCERPT].split())}”"
