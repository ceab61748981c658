"""Editing what a person says over a tool's source; every edit is kept as a version."""

from django.contrib.auth.models import User
from django.db import transaction

from catalog.linting import look_alone
from catalog.models import Tool, ToolVersion
from catalog.models.tool import OVERLAY_FIELDS


def save_overlay(tool: Tool, by: User | None) -> None:
    """Save the tool with its overlay as it now stands, and keep that as a version."""
    with transaction.atomic():
        tool.save()
        ToolVersion.objects.create(tool=tool, layer=ToolVersion.Layer.OVERLAY, content=tool.overlay(), by=by)
        look_alone([tool])


def restore_overlay(tool: Tool, version: ToolVersion, by: User | None) -> None:
    """Have what a person wrote be as it was in a version. A field that the version does not know stays as it is."""
    for name in OVERLAY_FIELDS:
        if name in version.content:
            setattr(tool, name, version.content[name])
    save_overlay(tool, by)
