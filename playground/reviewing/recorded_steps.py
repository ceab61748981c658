"""The searches of many runs and what they led to, from rows of two kinds of events: for whoever counts, and needs no more."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from playground.agent.events import CallSent, SearchAnswered
from playground.reviewing.reading_steps import StepsReader
from playground.reviewing.steps import Steps
from playground.runs.stored import from_row

KINDS = (SearchAnswered.kind, CallSent.kind)
FIELDS = ("run_id", "seq", "kind", "body")
Row = tuple[UUID, int, str, dict[str, Any]]


def steps_by_run(rows: Iterable[Row]) -> Mapping[UUID, Steps]:
    """Rows of KINDS in any order; runs as they first come. Tools go by the names under which models call them."""
    by_run: dict[UUID, list[tuple[int, str, dict[str, Any]]]] = defaultdict(list)
    for run, seq, kind, body in rows:
        by_run[run].append((seq, kind, body))
    return {run: _steps(sorted(of_run, key=lambda one: one[0])) for run, of_run in by_run.items()}


def _steps(rows: Iterable[tuple[int, str, dict[str, Any]]]) -> Steps:
    reader = StepsReader(lambda server, name: name)
    for seq, kind, body in rows:
        reader.take(seq, from_row(kind, body))
    return reader.steps()
