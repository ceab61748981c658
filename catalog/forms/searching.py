"""A search, as its address has it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms

from catalog.models import Catalog
from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine, choose
from catalog.search.settings import UnfitSettingsError

TOP_K, MAX_TOP_K = 5, 50
"""How many hits a search returns: usually, and at most."""
ENGINE = "pegboard"
"""The engine that is asked where neither the address nor the catalog names one."""
_BAD_K = ("min_value", "max_value", "invalid")
_K_RANGE = f"Top k goes from 1 to {MAX_TOP_K}: {TOP_K} was taken."


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """What a reader is told of an engine."""

    slug: str
    title: str
    summary: str
    query_help: str


class SearchForm(forms.Form):
    """A search of a catalog, as its address has it. What cannot be read stands in `errors` and counts as left out."""

    q = forms.CharField(required=False, label="Query", max_length=2_000)
    k = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_TOP_K, error_messages=dict.fromkeys(_BAD_K, _K_RANGE)
    )

    def __init__(self, data: Mapping[str, Any], catalog: Catalog, *, servers: Mapping[str, int]) -> None:
        """`servers` counts the tools of each server that can be chosen."""
        super().__init__(data)
        self.catalog = catalog
        self.fields["server"] = forms.ChoiceField(
            required=False,
            choices=[("", "Any server"), *((slug, f"{slug} ({count:,})") for slug, count in sorted(servers.items()))],
            error_messages={"invalid_choice": "%(value)s is no server of this catalog: all its servers were searched."},
        )
        self.fields["engine"] = forms.ChoiceField(
            required=False,
            choices=[(slug, kind.title) for slug, kind in ENGINES.items()],
            error_messages={"invalid_choice": f"%(value)s is no engine: {ENGINES[ENGINE].title} was asked."},
        )
        self.full_clean()

    @property
    def query(self) -> str:
        return self.cleaned_data.get("q") or ""

    @property
    def chosen_server(self) -> str:
        return self.cleaned_data.get("server") or ""

    @property
    def engines(self) -> list[EngineChoice]:
        return [EngineChoice(slug, kind.title, kind.summary, kind.query_help) for slug, kind in ENGINES.items()]

    @property
    def chosen_engine(self) -> EngineChoice:
        usual = self.catalog.engine if self.catalog.engine in ENGINES else ENGINE
        chosen = self.cleaned_data.get("engine") or usual
        return next(engine for engine in self.engines if engine.slug == chosen)

    @cached_property
    def asked(self) -> ChosenEngine:
        """The engine as the catalog has it set, but for what the address sets: `mastra.min_score=2`."""
        return self._fitting(self.chosen_engine.slug)

    def _fitting(self, slug: str) -> ChosenEngine:
        """What the engine cannot take stands in `errors` and counts as left out."""
        stored = self.catalog.engine_settings if self.catalog.engine == slug else {}
        typed = {key.partition(".")[2]: value for key, value in self.data.items() if key.startswith(f"{slug}.")}
        given = {**stored, **typed}
        try:
            return choose(slug, given)
        except UnfitSettingsError as error:
            for problem in error.problems.values():
                self.add_error(None, f"{problem} It was left out.")
            return choose(slug, {name: value for name, value in given.items() if name not in error.problems})

    @property
    def top_k(self) -> int:
        return self.cleaned_data.get("k") or TOP_K
