"""What a run goes on from: the stretches of earlier runs that its conversation is made of, and their messages."""

from dataclasses import dataclass
from uuid import UUID

from playground.models import Run, Thread
from playground.runs.reading import all_events
from playground.runs.threads import EditedResult
from playground.runs.transcripts import transcript_of, with_result
from playground.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Stretch:
    """The events of a run, or those before the event `until`. `edited` is what a person made of one of its results."""

    run_id: UUID
    until: int | None = None
    edited: EditedResult | None = None

    @property
    def transcript(self) -> Transcript:
        last = None if self.until is None else self.until - 1
        told = transcript_of(recorded.event for recorded in all_events(self.run_id, last))
        return with_result(told, self.edited.call_id, self.edited.content) if self.edited else told


def line_of(run: Run) -> list[Stretch]:
    """Everything before the run in its conversation, the oldest first, through every fork."""
    return line_before(run.thread, run.position)


def line_before(thread: Thread, position: int) -> list[Stretch]:
    """Everything before that position of the thread."""
    line: list[Stretch] = []
    while True:
        earlier = thread.runs.filter(position__lt=position).order_by("position").values_list("pk", flat=True)
        line = [*map(Stretch, earlier), *line]
        source = thread.forked_from
        if source is None:
            return line
        line = [Stretch(source.pk, thread.forked_at, _edited(thread)), *line]
        thread, position = source.thread, source.position


def history_of(run: Run) -> Transcript:
    return messages_of(line_of(run))


def history_before(run: Run, at: int | None) -> Transcript:
    """The conversation up to the event `at` of the run, that one left out; without it, up to the run's end."""
    return messages_of([*line_of(run), Stretch(run.pk, at)])


def edited_calls(line: list[Stretch]) -> tuple[str, ...]:
    """The calls whose results a person changed."""
    return tuple(stretch.edited.call_id for stretch in line if stretch.edited)


def _edited(thread: Thread) -> EditedResult | None:
    return EditedResult(thread.edited_call, thread.edited_result) if thread.edited_call else None


def messages_of(line: list[Stretch]) -> Transcript:
    return tuple(message for stretch in line for message in stretch.transcript)
