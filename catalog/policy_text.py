"""The context of a request and the conditions of a rule as people write them, a line each: `role = guest`, `role is not guest`."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from catalog.policy import Condition, as_text

MOST_LINES = 20
"""Names in a context, conditions of a rule."""
MOST_NAME, MOST_VALUE = 64, 500
"""Characters of a name, and of a value."""
_NAME = re.compile(rf"[A-Za-z0-9_.:-]{{1,{MOST_NAME}}}")
_CONDITION = re.compile(r"(\S+)\s+is\s+(not\s+)?(.+)")


class UnreadableError(ValueError):
    """The text cannot be read; the message says where and what to write, as a sentence."""


def read_context(text: str) -> dict[str, Any]:
    """`name = value` a line, or one JSON object. A value is a number or `true` or `false` if it looks so, else a text."""
    pairs = _from_json(text) if text.lstrip().startswith("{") else _from_lines(text)
    return check_context(dict(pairs))


def check_context(context: Mapping[str, Any]) -> dict[str, Any]:
    """The context, if it is small and flat. Raises UnreadableError."""
    if len(context) > MOST_LINES:
        raise UnreadableError(f"At most {MOST_LINES} names fit; there are {len(context)}.")
    for name, value in context.items():
        if not _NAME.fullmatch(name):
            raise UnreadableError(
                f"“{name[:MOST_NAME]}” is no name: letters, digits and _ . : - are, {MOST_NAME} at most."
            )
        if not isinstance(value, str | int | float | bool) or (isinstance(value, float) and not math.isfinite(value)):
            raise UnreadableError(f"The value of {name} must be a text, a number, true or false.")
        if len(as_text(value)) > MOST_VALUE:
            raise UnreadableError(f"The value of {name} is longer than {MOST_VALUE} characters.")
        if "\0" in as_text(value):
            raise UnreadableError(f"The value of {name} has a NUL character.")
    return dict(context)


def context_text(context: Mapping[str, Any]) -> str:
    """The lines that are read as this context."""
    return "\n".join(f"{name} = {_written(value)}" for name, value in context.items())


def read_conditions(text: str) -> tuple[Condition, ...]:
    """`name is value`, `name is not value`, `name is one or another`, a line each. Raises UnreadableError."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        raise UnreadableError(f"At most {MOST_LINES} conditions fit; there are {len(lines)}.")
    return tuple(_condition(number, line) for number, line in enumerate(lines, start=1))


def conditions_text(conditions: Iterable[Condition]) -> str:
    return "\n".join(map(str, conditions))


def _condition(number: int, line: str) -> Condition:
    found = _CONDITION.fullmatch(line)
    if found is None or not _NAME.fullmatch(found[1]):
        raise UnreadableError(
            f"Line {number}: write it as “role is guest”, “role is not guest” or “role is guest or partner”."
        )
    values = tuple(value.strip() for value in found[3].split(" or "))
    if not all(values) or any(len(value) > MOST_VALUE for value in values):
        raise UnreadableError(f"Line {number}: between “or” stand values of 1 to {MOST_VALUE} characters.")
    return Condition(found[1], values, is_not=bool(found[2]))


def _from_json(text: str) -> Iterator[tuple[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"It begins like JSON and is not: {error}.") from None
    yield from value.items()


def _from_lines(text: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        name, equals, value = (part.strip() for part in line.partition("="))
        if equals and name:
            yield name, _value(value)
        elif line.strip():
            raise UnreadableError(f"Line {number}: write it as “role = guest”.")


def _value(text: str) -> Any:
    """What looks like a JSON value of one part is one: 5, true, or "5" for the text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str | int | float | bool) else text


def _written(value: Any) -> str:
    plain = as_text(value)
    if isinstance(value, str) and (_value(value) != value or plain != plain.strip() or "\n" in plain):
        return json.dumps(value, ensure_ascii=False)
    return plain
