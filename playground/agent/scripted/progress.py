"""What the scripted model has done for the present task, read off the messages: it keeps no memory of its own.

Which need a call was for stands in the model's own words before it: `Step 2 of 3: …`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from playground.agent.person import without_change

_STEP = re.compile(r"\s*(?:Step|第)\s*(\d+)")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")

Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """A call that was made for the need of that number, from 0, and its answer."""

    need: int
    tool: str
    arguments: Mapping[str, Any]
    answer: str

    @property
    def value(self) -> Any:
        """The answer as JSON; as text where it is none."""
        told, _ = without_change(self.answer)
        try:
            return json.loads(told)
        except (ValueError, RecursionError):
            return told

    @property
    def was_changed(self) -> bool:
        """Whether a person changed what was sent."""
        return without_change(self.answer)[1]


def tasks_of(messages: Messages) -> list[str]:
    """What the user said, the last of it at the end; what another message of the user's follows at once is passed over."""
    behind = [*messages[1:], {"role": ""}]
    pairs = zip(messages, behind, strict=True) if messages else ()
    return [text_of(message) for message, after in pairs if message["role"] == "user" != after["role"]]


def today_of(messages: Messages) -> date | None:
    """The first day that the system text names."""
    named = _DAY.search(" ".join(text_of(message) for message in messages if message["role"] == "system"))
    try:
        return date.fromisoformat(named[0]) if named else None
    except ValueError:
        return None


def steps_of(messages: Messages) -> tuple[Step, ...]:
    """Since the user last spoke."""
    last = max((place for place, message in enumerate(messages) if message["role"] == "user"), default=0)
    return tuple(_steps(messages[last + 1 :]))


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text, also where it comes in parts."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def _steps(messages: Messages) -> Iterator[Step]:
    answers = {message["tool_call_id"]: text_of(message) for message in messages if message["role"] == "tool"}
    for message in messages:
        if number := _STEP.match(text_of(message)):
            for call in message.get("tool_calls") or ():
                function = call["function"]
                yield Step(
                    int(number[1]) - 1, function["name"], _read(function["arguments"]), answers.get(call["id"], "")
                )


def _read(arguments: str) -> Mapping[str, Any]:
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
