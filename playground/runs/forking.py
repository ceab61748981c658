"""The points of a run from which a thread may be forked, in words and as what is shared."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from playground.agent.events import CallFinished, CallMade, OfferMade, RunEnded, RunStarted
from playground.models import Run, RunEvent, Thread
from playground.runs.history import history_before
from playground.runs.stored import from_row
from playground.transcript import Transcript


@dataclass(frozen=True)
class ForkPoint:
    """Before the event `at` of a run, which a message or a turn began; without it, the run's end. `turn` is 0 elsewhere.

    With a `result`, behind the turn in which that was told: a person makes another of it.
    """

    run: Run
    at: int | None = None
    turn: int = 0
    result: CallFinished | None = None

    @property
    def is_message(self) -> bool:
        """Whether the run's own message is to be written anew."""
        return self.at is not None and not self.turn and self.result is None

    @cached_property
    def history(self) -> Transcript:
        return history_before(self.run, self.at)

    def __str__(self) -> str:
        message = f"message {self.run.position}"
        if self.result:
            return f"from an edited result of {self.result.tool} in {message}"
        if self.turn:
            return f"before turn {self.turn} of {message}"
        return f"before {message}" if self.is_message else f"after {message}"


def fork_point(run: Run, at: int | None) -> ForkPoint | None:
    """None where no thread can be forked: amid a turn, or at the end of a run that has not come to it."""
    if at is None:
        return None if run.is_unfinished else ForkPoint(run)
    begins = RunEvent.objects.filter(run=run, seq=at, kind__in=[RunStarted.kind, OfferMade.kind])
    event = begins.values_list("kind", "body__turn").first()
    return event and ForkPoint(run, at, event[1] or 0)


def result_point(run: Run, seq: int) -> ForkPoint | None:
    """Where the result that the event `seq` tells may be another. None for no result of a tool, and amid a turn."""
    event = RunEvent.objects.filter(run=run, seq=seq, kind=CallFinished.kind).first()
    behind = (
        RunEvent.objects.filter(run=run, seq__gt=seq, kind__in=[OfferMade.kind, RunEnded.kind]).order_by("seq").first()
    )
    if event is None or behind is None:
        return None
    result = cast(CallFinished, from_row(event.kind, event.body))
    made = RunEvent.objects.filter(run=run, kind=CallMade.kind, body__call_id=result.call_id, body__meta=False)
    return ForkPoint(run, behind.seq, result=result) if made.exists() else None


def origin_of(thread: Thread) -> ForkPoint | None:
    """Where the thread was forked, if it was."""
    source = thread.forked_from
    if source is None:
        return None
    if not thread.edited_call:
        return fork_point(source, thread.forked_at)
    told = RunEvent.objects.filter(run=source, kind=CallFinished.kind, body__call_id=thread.edited_call)
    seq = told.values_list("seq", flat=True).first()
    return result_point(source, seq) if seq else None
