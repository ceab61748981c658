"""The logs that can be read, one reader each."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playground.foreign import anthropic_log, claude_code, openai_chat, openai_responses, otel, pegboard
from playground.foreign.records import each
from playground.foreign.runs import ForeignRuns

LOOKED_AT = 50
"""Records of a log that are looked at to tell what it is."""


@dataclass(frozen=True, slots=True)
class Reader:
    """`holds` is asked of an object of a log; `read` takes a clean log."""

    title: str
    holds: Callable[[dict[str, Any]], bool]
    read: Callable[[str], ForeignRuns]


READERS: dict[str, Reader] = {
    "pegboard": Reader(pegboard.TITLE, pegboard.holds, pegboard.read),
    "claude-code": Reader(claude_code.TITLE, claude_code.holds, claude_code.read),
    "opentelemetry": Reader(otel.TITLE, otel.holds, otel.read),
    "anthropic": Reader(anthropic_log.TITLE, anthropic_log.holds, anthropic_log.read),
    "openai-responses": Reader(openai_responses.TITLE, openai_responses.holds, openai_responses.read),
    "openai-chat": Reader(openai_chat.TITLE, openai_chat.holds, openai_chat.read),
}
"""In the order in which they are asked: the more particular ones first."""


def kind_of_log(text: str) -> str:
    """The reader that knows most of the first records; empty where none knows any."""
    votes: Counter[str] = Counter()
    for place, record in enumerate(each(text)):
        if place == LOOKED_AT:
            break
        votes[next((kind for kind, reader in READERS.items() if reader.holds(record.value)), "")] += 1
    votes.pop("", None)
    return votes.most_common(1)[0][0] if votes else ""
