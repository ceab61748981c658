"""Catalogs from their YAML, with the modes that there are: what a text would change, and applying it."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.catalog_yaml.applying import Applied, Plan, apply_yaml, plan_yaml
from catalog.publishing.acts import publish_first
from catalog.search.settings import UnfitSettingsError, read_settings
from playground.modes import MODES


def plan_catalog(text: str) -> Plan:
    """Raises MistakesError."""
    return plan_yaml(text, misfit_of_mode)


@transaction.atomic
def bring_catalog(text: str, token: str, by: User | None) -> Applied:
    """As the plan of that token shows it; a catalog that is new is published. Raises MistakesError and ChangedError."""
    applied = apply_yaml(text, token, misfit_of_mode, by)
    if not applied.catalog.versions.exists():
        publish_first(applied.catalog, by)
    return applied


def misfit_of_mode(name: str, options: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with a mode and its options: a sentence by the name of each option, and by "" where there is no such mode."""
    mode = MODES.get(name)
    if mode is None:
        return {"": f"There is no mode {name}. There are {', '.join(MODES)}."}
    try:
        read_settings(mode.Options, options)
    except UnfitSettingsError as error:
        return error.problems
    return {}
