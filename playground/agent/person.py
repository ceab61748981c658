"""Asking a person within a run: the protocol of whatever does it, and what the model is told of what was decided."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from catalog.person_kinds import HUMAN, PersonKind, kind_of
from catalog.tools import ToolSpec
from playground.agent.person_events import CallDecided, CallHeld, Decision
from playground.agent.questions import question_of
from playground.transcript import ToolCall

CHANGED = "A person changed the arguments of this call before it was sent. They were: "
"""Begins a result, in a line of its own with the arguments as JSON."""


@dataclass(frozen=True, slots=True)
class Decided:
    """`arguments` are those to send, where the person edited them; `text` is a reason, or the answer to a question."""

    decision: Decision
    by: str = ""
    arguments: Mapping[str, Any] | None = None
    text: str = ""


class Person(Protocol):
    """Whoever is asked. `wait` is how many seconds an answer is waited for."""

    wait: float

    async def decide(self, held: CallHeld) -> Decided:
        """Asked once the event is on record. Comes back within `wait` seconds, with `unanswered` if it has to be."""
        ...


class Nobody:
    """Where no one can be asked."""

    wait = 0.0

    async def decide(self, held: CallHeld) -> Decided:
        return Decided("unanswered")


@dataclass(frozen=True, slots=True)
class Asking:
    """Which kinds of calls wait, and for whom."""

    kinds: Collection[PersonKind]
    person: Person

    def holds(self, tool: ToolSpec) -> bool:
        return kind_of(tool) in self.kinds

    def hold(self, turn: int, call: ToolCall, tool: ToolSpec, arguments: Mapping[str, Any]) -> CallHeld:
        kind, text = kind_of(tool), as_text(arguments)
        asked = question_of(arguments) if kind == HUMAN else None
        question, choices = (asked.text, asked.choices) if asked else ("", ())
        digest = digest_of(tool, arguments)
        return CallHeld(turn, call.id, call.name, tool.server, kind, text, digest, self.person.wait, question, choices)


ASKS_NOBODY = Asking((), Nobody())
"""No call waits."""


def as_text(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def digest_of(tool: ToolSpec, arguments: Mapping[str, Any]) -> str:
    """Of the tool and all that is sent to it; the order of names counts, as it is sent."""
    told = json.dumps([tool.key, tool.name, arguments])
    return hashlib.sha256(told.encode()).hexdigest()


def told_of(held: CallHeld, decided: Decided, seconds: float) -> CallDecided:
    """The event that says so; `seconds` is how long the person was waited for."""
    edited = as_text(decided.arguments) if decided.decision == "edited" and decided.arguments is not None else ""
    return CallDecided(held.turn, held.call_id, decided.decision, seconds, decided.by, edited, decided.text)


def not_made(decided: CallDecided, wait: float) -> str:
    """What the model is told of a call that did not go out."""
    said = f" They said: {decided.text}" if decided.text else ""
    match decided.decision:
        case "unanswered":
            return f"Nobody answered within {_minutes(wait)}, so this call was not made."
        case "declined":
            return f"The person does not want to answer this.{said}"
    return f"A person refused this call, so it was not made.{said}"


def with_change(content: str, arguments: str) -> str:
    """A result behind the line that says that something else was sent than the model wrote."""
    return f"{CHANGED}{arguments}\n{content}"


def without_change(content: str) -> tuple[str, bool]:
    """The result alone, and whether a person had changed what was sent."""
    if not content.startswith(CHANGED):
        return content, False
    return content.partition("\n")[2], True


def _minutes(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:,.3g} seconds"
    minutes = round(seconds / 60)
    return f"{minutes:,} minute{'' if minutes == 1 else 's'}"
