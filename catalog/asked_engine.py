"""The engine that searches of agents ask: the catalog's own or, where it names none, that of its mode."""

from collections.abc import Callable
from dataclasses import dataclass

from catalog.editions import Edition
from catalog.models import Catalog
from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine, choose
from catalog.search.settings import UnfitSettingsError


class CannotAskError(Exception):
    """The engine cannot be asked; the message says why, as a sentence."""


def _pegboard(mode: str) -> str:
    return "pegboard"


@dataclass
class Modes:
    """The engine of each mode by its slug, empty where there is no such mode; who has the modes says it at the start of the process."""

    engine_of: Callable[[str], str] = _pegboard


modes = Modes()


def engine_slug(asked: Catalog | Edition) -> str:
    return asked.engine or modes.engine_of(asked.mode)


def engine_asked(asked: Catalog | Edition) -> ChosenEngine:
    """With the settings that the catalog has for it. Raises CannotAskError."""
    slug = engine_slug(asked)
    if slug not in ENGINES:
        raise CannotAskError(f"{asked.title} names an engine or a mode that is not there.")
    try:
        return choose(slug, asked.engine_settings if asked.engine else {})
    except UnfitSettingsError as error:
        raise CannotAskError(f"The engine’s settings cannot be taken. {error}") from None
