"""The options of the mode that a lane runs in: fields for them, and what was filled in beside what is usual."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms

from catalog.editions import PUBLISHED, Edition
from catalog.forms.settings_fields import given_settings, settings_fields
from catalog.models import Catalog
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.search.settings import changed, fitting_settings, read_settings, settings_of
from playground.modes import MODES

OPTIONS = tuple(f"{slug}.{told.name}" for slug, kind in MODES.items() for told in settings_of(kind.Options))
"""The names of the fields of every mode: `mastra.top_k`."""


class LaneOptions:
    """Those of one mode. `kept` are the options that differ from its defaults unless somebody chooses others.

    `named` is the mode that the lane names, empty where it follows its catalog.
    """

    def __init__(self, slug: str, kept: Mapping[str, Any], named: str) -> None:
        self._slug, self._named = slug, named
        self._kind = MODES[slug].Options
        self._usual, _ = fitting_settings(self._kind, kept)

    @cached_property
    def fields(self) -> dict[str, forms.Field]:
        """By name; a choice is a list to choose from, as lanes are narrow."""
        made = settings_fields(self._kind, self._slug, changed(self._usual))
        for field in made.values():
            if isinstance(field.widget, forms.RadioSelect):
                field.widget = forms.Select(choices=list(field.widget.choices))
        return made

    @property
    def usual(self) -> dict[str, str]:
        """By name, as an address has them."""
        return {name: str(field.initial) for name, field in self.fields.items()}

    def made(self, cleaned: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The mode and the options of the run: none of its own while it does as its catalog says."""
        given = given_settings(cleaned, self._slug)
        settings = read_settings(self._kind, {**changed(self._usual), **given})
        if not self._named and settings == self._usual:
            return "", {}
        return self._slug, changed(settings)


def options_of(slug: str, asked: str, named: str) -> LaneOptions | None:
    """Of a lane of that catalog in the version asked for; None where no mode is there. An unknown version counts as what is published."""
    if named:
        return LaneOptions(named, {}, named) if named in MODES else None
    catalog = Catalog.objects.filter(slug=slug).first()
    edition = _edition(catalog, asked) if catalog else None
    return LaneOptions(edition.mode, edition.mode_options, "") if edition and edition.mode in MODES else None


def _edition(catalog: Catalog, asked: str) -> Edition:
    try:
        return edition_of(catalog, asked)
    except NoSuchVersionError:
        return edition_of(catalog, PUBLISHED)
