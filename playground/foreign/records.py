"""A log as text: one JSON document, or one a line; checked and without secrets before anything else looks at it."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from catalog.redaction import MASK, Redactor
from catalog.sources.json_text import JsonParsing
from playground.agent.well_formed import well_formed
from playground.foreign.runs import Problem

MOST_BYTES = 20 << 20
"""Of one log."""
MOST_PROBLEMS = 200
"""Told of one log."""
MOST_DEPTH = 100
_MOST_NUMBER = 1 << 63


class TooDeepError(ValueError):
    """A value is nested deeper than MOST_DEPTH."""


class UnreadableError(Exception):
    """A text is no value that can be kept; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value of a log, and the line that it begins in."""

    line: int
    value: Any


@dataclass(frozen=True, slots=True)
class CleanLog:
    """A log that is fit to be kept: JSON on the lines where it was, and how many secrets were taken out of it."""

    text: str
    redacted: int
    problems: tuple[Problem, ...]


def clean(text: str) -> CleanLog:
    """The log without secrets, and what of it cannot be read. A bad line costs that line."""
    redactor = Redactor()
    lines: dict[int, str] = {}
    redacted = 0
    records, problems = read_records(text)
    for record in records:
        before = _written(record.value)
        lines[record.line] = after = _written(redactor.json(record.value))
        redacted += max(after.count(MASK) - before.count(MASK), 0)
    last = max(lines, default=0)
    return CleanLog("\n".join(lines.get(line, "") for line in range(1, last + 1)), redacted, tuple(problems))


def read_records(text: str) -> tuple[list[Record], list[Problem]]:
    """The values, and what could not be read. Of a document that is one value, line 1."""
    try:
        value, remarks = _read(text, 1)
    except UnreadableError as error:
        return _read_lines(text, error.problem)
    return [Record(1, value)], remarks


def _read_lines(text: str, problem: Problem) -> tuple[list[Record], list[Problem]]:
    """A value a line; where no line is one, the problem of the whole."""
    records, problems = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value, remarks = _read(line, number)
        except UnreadableError as error:
            problems.append(error.problem)
            continue
        records.append(Record(number, value))
        problems += remarks
    return records, shortened(problems if any(isinstance(record.value, dict) for record in records) else [problem])


def each(text: str) -> Iterator[Record]:
    """The objects of a clean log; a list is what it holds."""
    for number, line in enumerate(text.split("\n"), start=1):
        value = json.loads(line) if line else None
        values = value if isinstance(value, list) else [value]
        yield from (Record(number, one) for one in values if isinstance(one, dict))


def shortened(problems: list[Problem]) -> list[Problem]:
    """The first of them, and how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], Problem(0, f"And {more:,} more.")] if more > 0 else problems


def _read(text: str, line: int) -> tuple[Any, list[Problem]]:
    """The value and remarks on it. Raises UnreadableError."""
    parsing = JsonParsing()
    try:
        value = _sound(parsing.load(text), 1)
    except json.JSONDecodeError as error:
        what = f"it is not JSON ({error.msg}, column {error.colno:,})."
        raise UnreadableError(Problem(line + error.lineno - 1, what)) from None
    except (TooDeepError, RecursionError):
        raise UnreadableError(Problem(line, f"it is nested deeper than {MOST_DEPTH} levels.")) from None
    except ValueError:
        raise UnreadableError(Problem(line, "it holds a number that cannot be kept.")) from None
    return value, [Problem(line, well_formed(parsing.on_repeated_keys))] if parsing.repeated else []


def _sound(value: Any, depth: int) -> Any:
    """A copy that every database holds and every browser reads the same. Raises ValueError for numbers beyond that."""
    if depth > MOST_DEPTH:
        raise TooDeepError
    match value:
        case str():
            return well_formed(value)
        case float() if not math.isfinite(value):
            raise ValueError("not finite")
        case int() if abs(value) > _MOST_NUMBER:
            raise ValueError("too large")
        case dict():
            return {well_formed(key): _sound(part, depth + 1) for key, part in value.items()}
        case list():
            return [_sound(part, depth + 1) for part in value]
    return value


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
