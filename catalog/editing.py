"""Editing what a person says over a tool's source; every edit is kept as a version."""

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Tool, ToolVersion


def save_overlay(tool: Tool, by: User | None) -> None:
    """Save the tool with its overlay as it now stands, and keep that as a version."""
    with transaction.atomic():
        tool.save()
        ToolVersion.objects.create(tool=tool, layer=ToolVersion.Layer.OVERLAY, content=tool.overlay(), by=by)
