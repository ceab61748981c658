"""Form fields for settings: one a setting, by its type, named as in an address (`mastra.top_k`)."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalog.search.settings import Setting, TypedSettings, Value, settings_of, written


def settings_fields(kind: type[TypedSettings], prefix: str, kept: Mapping[str, Value]) -> dict[str, forms.Field]:
    """By name; `kept` has the values that differ from the defaults. A field left empty means the default."""
    return {f"{prefix}.{told.name}": _field(told, kept.get(told.name, told.default)) for told in settings_of(kind)}


def given_settings(cleaned: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """What was filled in, by the name of the setting."""
    own = {name.partition(".")[2]: value for name, value in cleaned.items() if name.startswith(f"{prefix}.")}
    return {name: value for name, value in own.items() if value not in (None, "")}


def _field(told: Setting, value: Value) -> forms.Field:
    about: dict[str, Any] = {"label": told.label, "help_text": told.help, "required": False}
    if told.kind == "bool":
        choices = [("on", "On"), ("off", "Off")]
        return forms.ChoiceField(choices=choices, initial=written(value), widget=forms.RadioSelect, **about)
    if told.kind == "str":
        named = [(choice, choice.capitalize()) for choice in told.choices]
        return forms.ChoiceField(choices=named, initial=value, widget=forms.RadioSelect, **about)
    if told.kind == "int":
        return forms.IntegerField(initial=value, min_value=_whole(told.least), max_value=_whole(told.most), **about)
    return forms.FloatField(initial=written(value), min_value=told.least, max_value=told.most, **about)


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
