"""Versions of tools: what a source said, or a person wrote, kept for ever."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from catalog.batches import BATCH
from catalog.models import Tool, ToolVersion


def keep_versions(tools: Sequence[Tool], by: User | None) -> None:
    """What is in force of each tool's source, as a version."""
    layer = ToolVersion.Layer.UPSTREAM
    versions = [ToolVersion(tool=tool, layer=layer, content=tool.upstream(), by=by) for tool in tools]
    ToolVersion.objects.bulk_create(versions, batch_size=BATCH)
