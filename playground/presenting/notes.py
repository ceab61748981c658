"""What a speaker means to say at the moments of a run: kept so that of two who write at once neither loses a word."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from catalog.invisible import cleaned
from playground.models import Run, RunNote

MOST_NOTE = 4_000
"""Characters of a note as one person sends it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands now. `both`: somebody else had written meanwhile, and what they wrote stands before it."""

    text: str
    both: bool


def notes_of(run_id: UUID) -> dict[int, str]:
    """By the event at which each stands."""
    return dict(RunNote.objects.filter(run_id=run_id).order_by("seq").values_list("seq", "text"))


@transaction.atomic
def keep_note(run_id: UUID, seq: int, was: str, text: str) -> Kept:
    """`was` is the note that the writer had before them. An empty text takes the note away."""
    Run.objects.select_for_update().get(pk=run_id)
    was, text = _as_kept(was), _as_kept(text)
    standing = RunNote.objects.filter(run_id=run_id, seq=seq).values_list("text", flat=True).first() or ""
    both = standing not in (was, text)
    if both:
        text = f"{standing}\n\n{text}".rstrip()
    if text:
        RunNote.objects.update_or_create(run_id=run_id, seq=seq, defaults={"text": text})
    else:
        RunNote.objects.filter(run_id=run_id, seq=seq).delete()
    return Kept(text, both)


def _as_kept(text: str) -> str:
    return cleaned(text.replace("\r\n", "\n")).strip()
