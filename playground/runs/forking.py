"""The points of a run from which a thread may be forked, in words and as what is shared."""

from dataclasses import dataclass
from functools import cached_property

from playground.agent.events import OfferMade, RunStarted
from playground.models import Run, RunEvent, Thread
from playground.runs.history import history_before
from playground.transcript import Transcript


@dataclass(frozen=True)
class ForkPoint:
    """Before the event `at` of a run, which a message or a turn began; without it, the run's end. `turn` is 0 elsewhere."""

    run: Run
    at: int | None = None
    turn: int = 0

    @property
    def is_message(self) -> bool:
        """Whether the run's own message is to be written anew."""
        return self.at is not None and not self.turn

    @cached_property
    def history(self) -> Transcript:
        return history_before(self.run, self.at)

    def __str__(self) -> str:
        message = f"message {self.run.position}"
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


def origin_of(thread: Thread) -> ForkPoint | None:
    """Where the thread was forked, if it was."""
    source = thread.forked_from
    return fork_point(source, thread.forked_at) if source else None
