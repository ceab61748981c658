"""Leaving an edit out of a draft: the tool gets the overlay back that makes it what is published."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from catalog.editing import change_overlay, newest_edit
from catalog.indexing import exposure_of
from catalog.models import Catalog, Tool, ToolVersion
from catalog.publishing.asking import published
from catalog.publishing.content import definition_of

Overlay = dict[str, Any]


class NoWayBackError(Exception):
    """No overlay that the tool ever had makes it what is published: its source changed as well."""


def leave_out(catalog: Catalog, tool: Tool, by: User) -> None:
    """Undo what was edited of a tool since the version in force, as one more edit that its history keeps.

    Raises NoWayBackError, and EditedMeanwhileError if another edit came between.
    """
    wanted = next((spec for spec in exposure_of(published(catalog)).pool if spec.key == str(tool)), None)
    newest, overlays = newest_edit(tool), list(_overlays(tool))
    if wanted is None:
        raise NoWayBackError
    for overlay in overlays:
        for name, value in overlay.items():
            setattr(tool, name, value)
        if definition_of(tool.to_spec()) == definition_of(wanted):
            change_overlay(tool, overlay, newest.pk if newest else 0, by)
            return
    raise NoWayBackError


def _overlays(tool: Tool) -> Iterator[Overlay]:
    """Those that it had, the newest first, and none; whether it is on stays as it is."""
    now = tool.overlay()
    kept = {"enabled": now["enabled"]} if "enabled" in now else {}
    for version in tool.versions.filter(layer=ToolVersion.Layer.OVERLAY):
        yield now | version.content | kept
    yield now | Tool().overlay() | kept
