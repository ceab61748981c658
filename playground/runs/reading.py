"""Reading recorded runs back from the database."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Max

from catalog.policy import Denial
from playground.agent.events import ToolsDenied
from playground.models import RunEvent
from playground.runs.state import Recorded, RunState, state_of
from playground.runs.stored import from_row

PAGE = 500


def events_after(run_id: UUID, seq: int, limit: int = PAGE) -> list[Recorded]:
    """At most `limit` events, in order; none where there is no such run."""
    rows = RunEvent.objects.filter(run_id=run_id, seq__gt=seq).order_by("seq")
    return [
        Recorded(seq, at, from_row(kind, body))
        for seq, at, kind, body in rows.values_list("seq", "at", "kind", "body")[:limit]
    ]


def all_events(run_id: UUID, upto: int | None = None, after: int = 0) -> Iterator[Recorded]:
    """Every event after that one, or those of them up to and with `upto`, read in pages."""
    seq = after
    while page := events_after(run_id, seq):
        for recorded in page:
            if upto is not None and recorded.seq > upto:
                return
            yield recorded
        seq = page[-1].seq


def state_at(run_id: UUID, upto: int | None = None, before: RunState | None = None) -> RunState:
    """The run as it stands, or stood after the event `upto`; `before` saves folding what it has."""
    return state_of(all_events(run_id, upto, before.seq if before else 0), before)


def denials_of(run_id: UUID, tool: str) -> list[Denial]:
    """What the policy denied the run of a tool, the last word on each phase."""
    rows = RunEvent.objects.filter(run_id=run_id, kind=ToolsDenied.kind).order_by("seq")
    events = (from_row(ToolsDenied.kind, body) for body in rows.values_list("body", flat=True))
    denials = (one for event in events if isinstance(event, ToolsDenied) for one in event.denials if one.tool == tool)
    return [*{denial.phase: denial for denial in denials}.values()]


def last_seq(run_id: UUID) -> int:
    """0 where nothing is recorded yet."""
    return RunEvent.objects.filter(run_id=run_id).aggregate(last=Max("seq"))["last"] or 0
