"""Keeping what a draft holds: each definition once, a version's list of them packed."""

import json
import zlib
from collections.abc import Sequence

from catalog.models import ToolDefinition, VersionContent
from catalog.publishing.content import definition_of
from catalog.publishing.drafts import Draft
from catalog.publishing.kept import by_hash


def keep(draft: Draft) -> VersionContent:
    """The row of what the draft holds, which may be there already."""
    content = draft.content
    kept = VersionContent.objects.filter(hash=content.hash).first()
    if kept is None:
        numbers = _numbers(draft)
        kept, _ = VersionContent.objects.get_or_create(
            hash=content.hash,
            defaults={
                "settings": content.settings,
                "tools": _packed([numbers[one] for one in content.hashes]),
                "upfront": content.upfront,
                "tool_count": len(content.hashes),
                "upfront_tokens": draft.upfront_tokens,
                "all_tokens": draft.all_tokens,
            },
        )
    return kept


def _numbers(draft: Draft) -> dict[str, int]:
    """The keys of the rows of its definitions, made where they are missing."""
    numbers: dict[str, int] = dict(by_hash(draft.weighed, "id"))
    missing = [one for one in draft.weighed if one not in numbers]
    rows = (ToolDefinition(hash=one, body=definition_of(draft.weighed[one].tool)) for one in missing)
    ToolDefinition.objects.bulk_create(rows, ignore_conflicts=True, batch_size=400)
    return numbers | dict(by_hash(missing, "id"))


def _packed(numbers: Sequence[int]) -> bytes:
    """As steps from number to number, which are small: definitions are mostly written in the order of a catalog."""
    steps = [after - before for before, after in zip([0, *numbers], numbers, strict=False)]
    return zlib.compress(json.dumps(steps, separators=(",", ":")).encode())
