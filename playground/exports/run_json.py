"""A run as JSON (docs/run-json.md), with the runs nested in it; without what its secrets are now."""

from datetime import datetime
from typing import Any

from playground.foreign.pegboard import FORMAT, VERSION
from playground.models import Run
from playground.presenting.notes import notes_of
from playground.runs.assembling import redactor_of
from playground.runs.reading import all_events
from playground.runs.state import Recorded
from playground.runs.stored import from_row, to_body

TIMES = ("created_at", "ended_at")


def run_document(run: Run) -> dict[str, Any]:
    nested = Run.objects.filter(parent=run).order_by("created_at")
    return {
        "format": FORMAT,
        "version": VERSION,
        "run": _about(run),
        "events": [
            {"seq": seq, "at": _time(at), "kind": event.kind, **to_body(event)}
            for seq, at, event in redacted_events(run)
        ],
        "notes": [{"seq": seq, "text": redactor_of(run.pk).text(text)} for seq, text in notes_of(run.pk).items()],
        "nested": [run_document(child) for child in nested],
    }


def redacted_events(run: Run) -> list[Recorded]:
    """Recorded without the secrets that were known then, and told without those that are known now."""
    redactor = redactor_of(run.pk)
    return [
        Recorded(seq, at, from_row(event.kind, redactor.json(to_body(event)))) for seq, at, event in all_events(run.pk)
    ]


def _about(run: Run) -> dict[str, Any]:
    return {
        "id": str(run.pk),
        "thread": str(run.thread_id),
        "position": run.position,
        "task": redactor_of(run.pk).text(run.task),
        "status": run.status,
        "created_at": _time(run.created_at),
        "ended_at": _time(run.ended_at) if run.ended_at else None,
        "parent_call": run.parent_call,
        "imported_from": run.imported_from,
        "origin": run.origin,
    }


def _time(moment: datetime) -> str:
    return moment.isoformat()
