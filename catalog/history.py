"""What changed of a tool: from version to version, and by a person's words over its source's."""

from dataclasses import dataclass
from typing import Any

from catalog.models import Tool, ToolVersion

Change = tuple[str, Any, Any]
"""A field with its value before and after."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A version with what it changed of the one before it on the same layer; the first of the source changes nothing.

    `is_current`: it is the latest of its layer.
    """

    version: ToolVersion
    changes: tuple[Change, ...]
    is_current: bool


def history_of(tool: Tool, limit: int) -> list[Entry]:
    """The latest versions of a tool, newest first."""
    shown = list(tool.versions.select_related("by")[:limit])
    shown_ids = [version.pk for version in shown]
    before = [tool.versions.filter(layer=layer).exclude(pk__in=shown_ids).first() for layer in ToolVersion.Layer]
    versions = [*shown, *filter(None, before)]
    latest = {version.layer: version.pk for version in reversed(shown)}
    return [
        Entry(version, _changes(version, versions[place + 1 :]), latest[version.layer] == version.pk)
        for place, version in enumerate(shown)
    ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What lies between two versions of one layer."""

    since: ToolVersion
    until: ToolVersion
    changes: tuple[Change, ...]


def compared(tool: Tool, since: int, until: int) -> Comparison | None:
    """Two versions by their keys, the earlier first; None unless both are the tool's, and of one layer."""
    found = list(tool.versions.select_related("by").filter(pk__in=[since, until]).order_by("at", "id"))
    if len(found) != 2 or found[0].layer != found[1].layer:
        return None
    earlier, later = found
    return Comparison(earlier, later, _changes(later, [earlier]))


def edits_of(tool: Tool) -> list[Change]:
    """Each field in which what a model reads differs from what the source says."""
    own = [
        ("description", tool.description, tool.own_description),
        ("category", tool.category, tool.own_category or None),
        ("tags", tool.tags, tool.own_tags),
        ("permission", tool.permission, tool.own_permission or None),
    ]
    return [(name, upstream, mine) for name, upstream, mine in own if mine is not None]


def offered(history: list[Entry], comparison: Comparison | None) -> tuple[int, int] | None:
    """The keys of the two versions that a form has chosen: those compared, else the first and the last of the newest one's layer."""
    if comparison is not None:
        return comparison.since.pk, comparison.until.pk
    keys = [entry.version.pk for entry in history if entry.version.layer == history[0].version.layer]
    return (keys[-1], keys[0]) if keys else None


def _changes(version: ToolVersion, earlier: list[ToolVersion]) -> tuple[Change, ...]:
    before = next((other.content for other in earlier if other.layer == version.layer), None)
    if before is None and version.layer == ToolVersion.Layer.UPSTREAM:
        return ()
    before = _untouched() | (before or {})
    return tuple(
        (name, before.get(name), value) for name, value in version.content.items() if before.get(name) != value
    )


def _untouched() -> dict[str, Any]:
    """What a tool has of which nothing was said: also a field that was not there yet when a version was kept."""
    return Tool().upstream() | Tool().overlay()
