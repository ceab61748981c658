"""Which calls of a run wait for a person."""

from catalog.editions import Edition
from catalog.person_kinds import PersonKind, in_order
from playground.models import Run


def held_kinds(run: Run, edition: Edition) -> list[PersonKind]:
    """What the catalog says, with what the run says beyond that, less what a curator said."""
    return in_order({*edition.ask_person, *run.ask_person} - {*run.ask_less})
