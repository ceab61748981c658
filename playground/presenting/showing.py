"""A run's row made into a deck: its record without what its secrets are now, and the notes that stand at its moments."""

from playground.exports.run_json import redacted_events
from playground.models import Run
from playground.presenting.deck import Deck, Shown, deck_of
from playground.presenting.notes import notes_of
from playground.runs.assembling import redactor_of


def deck_for(run: Run, shown: Shown) -> Deck:
    redactor = redactor_of(run.pk)
    notes = {seq: redactor.text(text) for seq, text in notes_of(run.pk).items()} if shown.notes else {}
    return deck_of(redacted_events(run), shown, notes)
