"""Nested runs as the page of the run above them unfolds them: each with what was recorded of it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from playground.models import Run
from playground.runs.family import descendants
from playground.runs.reading import all_events
from playground.runs.state import RunState, state_of
from playground.runs.trace import Trace, trace_of


@dataclass(frozen=True, slots=True)
class NestedRun:
    """`is_live`: there is more to come, and the page shows it. `prefix` keeps the ids of its steps apart from others'."""

    run: Run
    state: RunState
    is_live: bool

    @property
    def trace(self) -> Trace:
        return trace_of(self.state)

    @property
    def url(self) -> str:
        return self.run.get_absolute_url()

    @property
    def prefix(self) -> str:
        return f"nested-{self.run.pk}-"


def nested_runs(run_id: UUID, until: datetime | None = None) -> dict[UUID, NestedRun]:
    """All that is nested in a run, at any depth, by id; as it was at that moment, if one is named."""
    found = {}
    for run in descendants(run_id):
        if until is None or run.created_at <= until:
            found[run.pk] = unfolded(run, until)
    return found


def unfolded(run: Run, until: datetime | None = None) -> NestedRun:
    state = state_of(recorded for recorded in all_events(run.pk) if until is None or recorded.at <= until)
    return NestedRun(run, state, is_live=until is None and run.is_unfinished)
