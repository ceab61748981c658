"""A search, as its address has it."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from catalog.editions import PUBLISHED, Edition
from catalog.forms.engine_choices import EngineChoice, EngineGroup, engine_choice, engine_groups
from catalog.forms.engine_settings import AskedSettings, asked_settings, engines_named
from catalog.forms.fields import ContextField
from catalog.models import Catalog
from catalog.search import ENGINES
from catalog.search.choosing import ChosenEngine

TOP_K, MAX_TOP_K = 5, 50
"""How many hits a search returns: usually, and at most."""
ENGINE, OTHER_ENGINE = "pegboard", "mastra"
"""The engine that is asked where neither the address nor the catalog names one, and the one beside it in a comparison."""
MAX_COLUMNS = 4
ASKED_AT = "%Y-%m-%dT%H:%M:%S%z"
"""How an address says when a search was asked."""
_BAD_K = ("min_value", "max_value", "invalid")
_K_RANGE = f"Top k goes from 1 to {MAX_TOP_K}: {TOP_K} was taken."


class SearchForm(forms.Form):
    """A search of a catalog, as its address has it. What cannot be read stands in `errors` and counts as left out.

    `engines=pegboard,mastra` asks several engines side by side, the first of them the one that the others are compared with.
    A form that is sent may say `view`, and name that engine as `first`; its `address` has neither.
    `asked_with`, `asked_in_view` and `asked_at` are of a search that was asked before: what the policy was told of the
    request, the tools that were in view already, with commas between, and when it was.
    """

    q = forms.CharField(required=False, label="Query", max_length=2_000)
    k = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_TOP_K, error_messages=dict.fromkeys(_BAD_K, _K_RANGE)
    )

    asked_with = ContextField(label="Request context")
    asked_in_view = forms.CharField(required=False, max_length=20_000)
    asked_at = forms.DateTimeField(required=False, input_formats=[ASKED_AT])

    def __init__(self, data: QueryDict, catalog: Catalog | Edition, *, servers: Mapping[str, int]) -> None:
        """`servers` counts the tools of each server that can be chosen."""
        super().__init__(data)
        self.catalog = catalog
        self.query_dict = data
        self._server_slugs = sorted(servers)
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
        self._tell_problems()

    def _tell_problems(self) -> None:
        for slug in self._columns_named:
            if slug not in ENGINES:
                self.add_error(None, f"{slug} is no engine: its column was left out.")
        if len(self._known_columns) > MAX_COLUMNS:
            self.add_error(None, f"At most {MAX_COLUMNS} engines fit side by side: the first {MAX_COLUMNS} were taken.")
        for asked in self.settings:
            for problem in asked.problems.values():
                self.add_error(None, f"{asked.title}: {problem} It was left out.")

    @property
    def problems(self) -> dict[str, str]:
        """A sentence for each parameter that cannot be read, for a program that is refused instead of answered anyway."""
        known = {
            "k": f"k is a whole number from 1 to {MAX_TOP_K}.",
            "engine": f"engine is one of {', '.join(ENGINES)}.",
            "server": f"server is one of those of the catalog: {', '.join(self._server_slugs)}.",
        }
        fields = {name: known.get(name, str(errors[0])) for name, errors in self.errors.items() if name != "__all__"}
        return fields | {name: problem for asked in self.settings for name, problem in asked.problems.items()}

    @property
    def version(self) -> str:
        """The edition that is searched, as an address names it; empty for what agents get, which is usual."""
        asked = self.catalog.asked if isinstance(self.catalog, Edition) else str(self.data.get("version", ""))
        return "" if asked == PUBLISHED else asked

    @property
    def request_context(self) -> dict[str, Any] | None:
        """What the policy is told of the request; None where the address does not say, or cannot be read."""
        return self.cleaned_data.get("asked_with") if "asked_with" in self.data else None

    @property
    def moment(self) -> datetime | None:
        """When the search was asked before, if it was."""
        return self.cleaned_data.get("asked_at")

    @cached_property
    def in_view(self) -> frozenset[str]:
        """The tools that were in view when the search was asked."""
        return frozenset(filter(None, (self.cleaned_data.get("asked_in_view") or "").split(",")))

    @property
    def as_asked(self) -> list[tuple[str, str]]:
        """The parameters that say how a search was asked before."""
        return [(name, self.data[name]) for name in ("asked_with", "asked_in_view", "asked_at") if name in self.data]

    @property
    def query(self) -> str:
        return self.cleaned_data.get("q") or ""

    @property
    def top_k(self) -> int:
        return self.cleaned_data.get("k") or TOP_K

    @property
    def chosen_server(self) -> str:
        return self.cleaned_data.get("server") or ""

    @property
    def servers(self) -> frozenset[str]:
        """The servers that are searched; empty, all."""
        return frozenset({self.chosen_server} if self.chosen_server else ())

    @property
    def engines(self) -> list[EngineChoice]:
        return [engine for group in self.engine_groups for engine in group.engines]

    @property
    def engine_groups(self) -> list[EngineGroup]:
        return engine_groups()

    @cached_property
    def chosen_engine(self) -> EngineChoice:
        usual = self.catalog.engine if self.catalog.engine in ENGINES else ENGINE
        named = self.cleaned_data.get("engine")
        return engine_choice(named or (self._known_columns[0] if self._known_columns else usual))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The engines side by side, the first the one that the others are compared with; empty for one engine alone."""
        if not self._is_side_by_side:
            return ()
        return tuple(self._known_columns or self._usual_pair())[:MAX_COLUMNS]

    @property
    def is_full(self) -> bool:
        """Whether no further column fits."""
        return len(self.columns) >= MAX_COLUMNS

    @cached_property
    def settings(self) -> list[AskedSettings]:
        """Those of the engines that are asked, in the order of the columns."""
        return [self.settings_of(slug) for slug in self.columns or (self.chosen_engine.slug,)]

    @cached_property
    def changed_count(self) -> int:
        """How many settings of the engines that are asked differ from their defaults."""
        return sum(len(asked.changed) for asked in self.settings)

    def settings_of(self, slug: str) -> AskedSettings:
        """The engine as the catalog has it set, but for what the address sets: `mastra.min_score=2`."""
        stored = self.catalog.engine_settings if self.catalog.engine == slug else {}
        return asked_settings(slug, stored, self.data)

    @property
    def is_kept(self) -> bool:
        """Whether this is how the catalog asks, in runs too."""
        return self.catalog.engine == self.settings[0].engine and not self.settings[0].of_address

    @property
    def asked(self) -> ChosenEngine:
        """The one engine that is asked, the first where there are several."""
        return self.settings[0].chosen

    @cached_property
    def carried(self) -> list[tuple[str, str]]:
        """Settings in the address of engines that are not asked now, kept for when they are."""
        asked = {settings.engine for settings in self.settings}
        slugs = (slug for slug in engines_named(self.data) if slug not in asked)
        return [(row.name, row.shown) for slug in slugs for row in self.settings_of(slug).of_address]

    @cached_property
    def address(self) -> QueryDict:
        """The parameters that say this search and no more: settings only where they differ from what holds anyway."""
        address = self.query_dict.copy()
        for key in ("view", "first", "engines", *self._idle_settings(), *(() if self.version else ("version",))):
            address.pop(key, None)
        if self.columns:
            address.pop("engine", None)
            address["engines"] = ",".join(self.columns)
        elif self._columns_named:
            address["engine"] = self.chosen_engine.slug
        return address

    @property
    def query_string(self) -> str:
        return query_string(self.address)

    def _idle_settings(self) -> list[str]:
        rows = (row for slug in engines_named(self.data) for row in self.settings_of(slug).rows)
        return [row.name for row in rows if row.origin != "address"]

    @property
    def _is_side_by_side(self) -> bool:
        view = self.data.get("view")
        return bool(self._known_columns) if view not in ("one", "side") else view == "side"

    @cached_property
    def _columns_named(self) -> list[str]:
        """As checkboxes or a list with commas have them, each once."""
        named = ",".join(self.query_dict.getlist("engines")).split(",")
        return list(dict.fromkeys(slug.strip() for slug in named if slug.strip()))

    @property
    def _known_columns(self) -> list[str]:
        first = self.data.get("first")
        return sorted((slug for slug in self._columns_named if slug in ENGINES), key=lambda slug: slug != first)

    def _usual_pair(self) -> list[str]:
        first = self.chosen_engine.slug
        return [first, OTHER_ENGINE if first == ENGINE else ENGINE]


def query_string(parameters: QueryDict) -> str:
    """Parameters as a browser writes those of a form, but with commas left as they are."""
    return urlencode([(name, value) for name, values in parameters.lists() for value in values], safe=",")
