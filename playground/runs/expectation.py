"""What calls a person expects of a run, as text: a line a call, the tool's name and, where they matter, its arguments as JSON."""

import json
from collections.abc import Iterable
from typing import Any

from catalog.invisible import cleaned
from playground.runs.aligning import MOST_CALLS
from playground.runs.outline import Call


class UnreadableExpectationError(ValueError):
    """`problems` are sentences, each with the number of its line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


def read_expectation(text: str) -> tuple[Call, ...]:
    """Raises UnreadableExpectationError. A line that begins with # is passed over."""
    calls, problems = list[Call](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, arguments = line.strip().partition(" ")
        try:
            calls.append(Call(cleaned(name), _checked(arguments.strip())))
        except ValueError as problem:
            problems.append(f"Line {number}: {problem}.")
    if len(calls) > MOST_CALLS:
        problems.append(f"At most {MOST_CALLS} calls are compared.")
    if problems:
        raise UnreadableExpectationError(problems)
    return tuple(calls)


def expectation_of(calls: Iterable[Call]) -> str:
    """The text that expects just these calls."""
    return "\n".join(f"{call.tool} {_one_line(call.arguments)}".strip() for call in calls)


def _checked(arguments: str) -> str | None:
    if not arguments:
        return None
    try:
        value: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        raise ValueError("what follows the name is not JSON") from None
    if not isinstance(value, dict):
        raise ValueError("arguments are a JSON object, like {…}")
    return arguments


def _one_line(arguments: str | None) -> str:
    return " ".join((arguments or "").split("\n"))
