"""A run's row made into a deck: its record without what its secrets are now, and the notes that stand at its moments."""

from collections.abc import Mapping
from uuid import UUID

from playground.exports.run_json import redacted_events
from playground.models import Run
from playground.presenting.course import Course
from playground.presenting.deck import Deck, Shown, deck_of
from playground.presenting.notes import notes_of
from playground.runs.assembling import redactor_of
from playground.runs.family import descendants
from playground.runs.state import state_of


def deck_for(run: Run, shown: Shown) -> Deck:
    redactor = redactor_of(run.pk)
    notes = {seq: redactor.text(text) for seq, text in notes_of(run.pk).items()} if shown.notes else {}
    nested = _courses_of(run) if shown.nested else {}
    return deck_of(redacted_events(run), shown, notes, nested)


def _courses_of(run: Run) -> Mapping[UUID, Course]:
    """Of all that is nested in the run, at any depth, by id; each without what its secrets are now."""
    return {
        nested.pk: Course(nested.agent.title if nested.agent else "", state_of(redacted_events(nested)))
        for nested in descendants(run.pk)
    }
