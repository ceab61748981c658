"""The messages of a transcript as a page tells them to a reader, in short."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.transcript import AssistantMessage, ToolMessage, Transcript, UserMessage


@dataclass(frozen=True, slots=True)
class Told:
    """`text` is what was said, or what a tool answered; `tools` are those called, or loaded by the answer.

    `edited`: a person wrote it in place of what the tool answered.
    """

    by: Literal["user", "assistant", "tool"]
    text: str
    tool: str = ""
    tools: tuple[str, ...] = ()
    failed: bool = False
    edited: bool = False


def told(transcript: Transcript) -> tuple[Told, ...]:
    return tuple(_told(transcript))


def _told(transcript: Transcript) -> Iterator[Told]:
    for message in transcript:
        match message:
            case UserMessage(text):
                yield Told("user", text)
            case AssistantMessage(text, calls, searches):
                searched = dict.fromkeys(name for search in searches for name in search.names)
                yield Told("assistant", text, tools=(*searched, *(call.name for call in calls)))
            case ToolMessage(_, tool, content, loaded, is_error, edited):
                yield Told("tool", content, tool, loaded, is_error, edited)
