"""Editing what a person says over a tool's source; every edit is kept as a version, and none is lost to another."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, audited
from catalog.linting import look_alone
from catalog.models import Tool, ToolVersion
from catalog.models.tool import OVERLAY_FIELDS


class EditedMeanwhileError(Exception):
    """Somebody saved another edit since; `newest` is the version that stands."""

    def __init__(self, newest: ToolVersion) -> None:
        super().__init__("The tool was edited since.")
        self.newest = newest


def save_overlay(tool: Tool, by: User | None) -> ToolVersion:
    """Save the tool with its overlay as it now stands, and keep that as a version."""
    with transaction.atomic():
        keep_beginning(tool)
        tool.edited_at = timezone.now()
        tool.save()
        look_alone([tool])
        return ToolVersion.objects.create(tool=tool, layer=ToolVersion.Layer.OVERLAY, content=tool.overlay(), by=by)


def keep_beginning(tool: Tool) -> None:
    """Before a tool's first edit: what was curated already when it came is a version too, so that the edit can be undone."""
    if newest_edit(tool) is None:
        stored = Tool.objects.get(pk=tool.pk).overlay()
        if stored != Tool().overlay():
            ToolVersion.objects.create(tool=tool, layer=ToolVersion.Layer.OVERLAY, content=stored)


def newest_edit(tool: Tool) -> ToolVersion | None:
    return tool.versions.filter(layer=ToolVersion.Layer.OVERLAY).select_related("by").first()


def change_overlay(tool: Tool, overlay: Mapping[str, Any], began_from: int, by: User) -> ToolVersion:
    """Save fields of an overlay that a person filled in over the edit `began_from` (the key of its version, or 0 for none).

    Raises EditedMeanwhileError if there is a newer one; nothing is saved then.
    """
    with transaction.atomic():
        row = Tool.objects.select_for_update(of=("self",)).get(pk=tool.pk)
        newest = newest_edit(row)
        if newest is not None and newest.pk != began_from:
            raise EditedMeanwhileError(newest)
        with audited(Act.TOOL_EDITED, row, by):
            for name, value in overlay.items():
                setattr(row, name, value)
            return save_overlay(row, by)


def undo_edit(tool: Tool, made: ToolVersion, by: User) -> None:
    """Have what a person wrote be as it was before the edit that made a version.

    Raises EditedMeanwhileError if that version is not the newest edit of the tool.
    """
    with transaction.atomic():
        row = Tool.objects.select_for_update(of=("self",)).get(pk=tool.pk)
        newest, *before = row.versions.filter(layer=ToolVersion.Layer.OVERLAY).select_related("by")[:2]
        if newest.pk != made.pk:
            raise EditedMeanwhileError(newest)
        with audited(Act.TOOL_EDIT_UNDONE, row, by):
            restore_overlay(row, before[0] if before else ToolVersion(content=Tool().overlay()), by)


def restore_overlay(tool: Tool, version: ToolVersion, by: User | None) -> None:
    """Have what a person wrote be as it was in a version. A field that the version does not know stays as it is."""
    for name in OVERLAY_FIELDS:
        if name in version.content:
            setattr(tool, name, version.content[name])
    save_overlay(tool, by)
