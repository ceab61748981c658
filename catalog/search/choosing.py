"""An engine with its settings, as a catalog stores it and an address names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog.search import ENGINES
from catalog.search.engine import Corpus, Engine
from catalog.search.settings import TypedSettings, read_settings


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """`settings` are of the kind that the engine takes."""

    slug: str
    settings: TypedSettings

    @property
    def kind(self) -> type[Engine]:
        return ENGINES[self.slug]

    def over(self, corpus: Corpus) -> Engine:
        """Raises UnreadableIndexError if the engine needs the corpus' index and it has none."""
        return self.kind(corpus, self.settings)


def choose(slug: str, given: Mapping[str, Any] | None = None) -> ChosenEngine:
    """The engine of that name. Raises KeyError if there is none, and UnfitSettingsError."""
    return ChosenEngine(slug, read_settings(ENGINES[slug].Settings, given or {}))
