"""What a run that ends tells the catalog: which tools it found and called."""

from catalog.usage import mark_used
from playground.agent.events import CallSent, SearchAnswered
from playground.models import Run
from playground.runs.stored import from_row

KINDS = [CallSent.kind, SearchAnswered.kind]


def tell_use(run: Run) -> None:
    """Of a run with its end: once, so that calls under way cost nothing."""
    if run.ended_at is None:
        return
    names: dict[str, set[str]] = {}
    for row in run.events.filter(kind__in=KINDS).order_by().iterator():
        match from_row(row.kind, row.body):
            case CallSent(tool=tool, server=server):
                names.setdefault(server, set()).add(tool)
            case SearchAnswered(hits=hits):
                for hit in (hit for hit in hits if not hit.cut_by):
                    names.setdefault(hit.server, set()).add(hit.name)
    mark_used(names, run.ended_at)
