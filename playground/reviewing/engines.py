"""The engine that an edition of a catalog asks, as its mode does."""

from catalog.editions import Edition
from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine, choose
from catalog.search.settings import UnfitSettingsError
from playground.modes import MODES


class CannotAskError(Exception):
    """The edition's engine cannot be asked; the message says why, as a sentence."""


def engine_of(edition: Edition) -> ChosenEngine:
    """Raises CannotAskError."""
    mode = MODES.get(edition.mode)
    slug = edition.engine or (mode.default_engine if mode else "")
    if slug not in ENGINES:
        raise CannotAskError(f"{edition.title} names an engine or a mode that is not there.")
    try:
        return choose(slug, edition.engine_settings if edition.engine else {})
    except UnfitSettingsError as error:
        raise CannotAskError(f"The engine’s settings cannot be taken. {error}") from None
