"""Runs that a Pegboard wrote out as JSON (docs/run-json.md): their events, as they were recorded."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from catalog.invisible import cleaned
from playground.agent.events import Event, RunEnded
from playground.agent.well_formed import well_formed
from playground.foreign.records import each, shortened
from playground.foreign.runs import ForeignRun, ForeignRuns, ForeignThread, Problem, TimedEvent
from playground.foreign.values import compact, count, dicts, mapping, moment, words
from playground.runs.stored import UnknownEventError, from_row

TITLE = "Pegboard run"
FORMAT = "pegboard-run"
VERSION = 1
MOST_EVENTS = 20_000
MOST_NESTED = 4
"""Levels."""
MOST_NOTE = 20_000
"""Characters."""
CUT_OFF = RunEnded("interrupted", "The recording that was imported ends here.")
_MOST_FIGURE = 10**12
_ANY_NUMBER = ("score", "context")
_OF_ROW = ("seq", "at", "kind")


def holds(value: dict[str, Any]) -> bool:
    return value.get("format") == FORMAT or ("run" in value and "events" in value)


def read(text: str) -> ForeignRuns:
    """Runs that name the same thread become one, in the order of their positions. A bad event costs that event."""
    problems: list[Problem] = []
    threads: dict[str, list[tuple[int, ForeignRun]]] = {}
    for record in each(text):
        document = record.value
        if not holds(document):
            problems.append(Problem(record.line, "it is no run of Pegboard's."))
        elif (count(document.get("version")) or VERSION) > VERSION:
            problems.append(Problem(record.line, "a newer Pegboard wrote it, and this one cannot read it."))
        else:
            about = mapping(document.get("run"))
            run, found = _run(document, record.line, 0)
            problems += found
            key = words(about.get("thread")) or words(about.get("id")) or f"line {record.line}"
            threads.setdefault(key, []).append((count(about.get("position")) or 0, run))
    return ForeignRuns.of((_thread(key, runs) for key, runs in threads.items()), shortened(problems))


def _thread(origin: str, numbered: list[tuple[int, ForeignRun]]) -> ForeignThread:
    runs = [run for _, run in sorted(numbered, key=lambda pair: pair[0]) if run.events]
    return ForeignThread(origin, next((run.task for run in runs if run.task), origin)[:200], tuple(runs))


def _run(document: dict[str, Any], line: int, depth: int) -> tuple[ForeignRun, list[Problem]]:
    about = mapping(document.get("run"))
    events, problems = _events(document, line)
    notes = tuple(_notes(document, len(events)))
    if problems and notes:
        problems.append(
            Problem(line, "its notes were left out, as the moments are not those that they were written for.")
        )
        notes = ()
    nested = []
    for part in dicts(document.get("nested")) if depth < MOST_NESTED else ():
        child, found = _run(part, line, depth + 1)
        nested.append(child)
        problems += found
    task, call = words(about.get("task")), words(about.get("parent_call"))
    return ForeignRun(task, tuple(events), _uuid(about.get("id")), call[:200], tuple(nested), notes), problems


def _notes(document: dict[str, Any], events: int) -> Iterator[tuple[int, str]]:
    """One for an event, those of events that there are."""
    told = {
        count(note.get("seq")): cleaned(well_formed(words(note.get("text"))))[:MOST_NOTE]
        for note in dicts(document.get("notes"))
    }
    yield from ((seq, text) for seq, text in told.items() if seq and seq <= events and text)


def _events(document: dict[str, Any], line: int) -> tuple[list[TimedEvent], list[Problem]]:
    events: list[TimedEvent] = []
    problems: list[Problem] = []
    last: datetime | None = None
    bodies = list(dicts(document.get("events")))
    for number, body in enumerate(bodies[:MOST_EVENTS], start=1):
        try:
            event = _event(body)
        except (UnknownEventError, ValueError) as error:
            problems.append(Problem(line, f"event {number:,} was left out: {_what(error)}"))
            continue
        last = moment(body.get("at")) or last
        events.append((last, event))
        if isinstance(event, RunEnded):
            break
    left = len(bodies) - len(events) - len(problems)
    if left:
        problems.append(Problem(line, f"{left:,} events behind its end were left out."))
    if events and not isinstance(events[-1][1], RunEnded):
        events.append((last, CUT_OFF))
    return events, problems


def _event(body: dict[str, Any]) -> Event:
    """Raises UnknownEventError and ValueError."""
    kind = words(body.get("kind"))
    fields = {name: value for name, value in body.items() if name not in _OF_ROW}
    for name, value in _figures(fields):
        if not 0 <= value <= _MOST_FIGURE:
            raise ValueError(f"{name} is out of range.")
    return from_row(kind, fields)


def _figures(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    match value:
        case dict():
            for key, part in value.items():
                if key not in _ANY_NUMBER:
                    yield from _figures(part, key)
        case list():
            for part in value:
                yield from _figures(part, name)
        case int() | float():
            yield name, value


def _what(error: Exception) -> str:
    if isinstance(error, UnknownEventError):
        return f"this release does not know the kind {compact(str(error))[:60]}."
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}."
    return str(error)


def _uuid(value: Any) -> UUID | None:
    try:
        return UUID(words(value))
    except ValueError:
        return None
