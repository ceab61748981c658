"""What versions hold, read back from its rows."""

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from catalog.batches import batched
from catalog.models import ToolDefinition, VersionContent
from catalog.publishing.content import Content, tool_of
from catalog.tools import ToolSpec

MOST_KEPT = 8
"""Contents whose hashes a process keeps."""


def content_of(row: VersionContent) -> Content:
    return Content(row.settings, _hashes(row.hash, bytes(row.tools)), tuple(row.upfront))


def tools_of(row: VersionContent) -> list[ToolSpec]:
    """All that it holds, in order."""
    numbers = _unpacked(bytes(row.tools))
    bodies = dict(_found(numbers, "id", "body"))
    return [tool_of(bodies[number], row.settings["server_texts"]) for number in numbers]


def some_tools_of(row: VersionContent, hashes: Collection[str]) -> list[ToolSpec]:
    """Those of these definitions, which it holds, in the order of the hashes."""
    bodies = dict(by_hash(hashes, "body"))
    return [tool_of(bodies[one], row.settings["server_texts"]) for one in hashes]


def by_hash(hashes: Iterable[str], name: str) -> Iterator[tuple[str, Any]]:
    """A field of the definitions of these hashes, each with its hash; those that are not there are passed over."""
    for some in batched(list(hashes)):
        yield from ToolDefinition.objects.filter(hash__in=some).values_list("hash", name)


def _found(numbers: Sequence[int], *names: str) -> Iterator[tuple[int, str]]:
    for some in batched(list(numbers)):
        yield from ToolDefinition.objects.filter(pk__in=some).values_list(*names)


@lru_cache(maxsize=MOST_KEPT)
def _hashes(_content: str, packed: bytes) -> tuple[str, ...]:
    """The hashes of the definitions in order; the content's own hash tells contents of different databases apart."""
    numbers = _unpacked(packed)
    by_number = dict(_found(numbers, "id", "hash"))
    return tuple(by_number[number] for number in numbers)


def _unpacked(packed: bytes) -> list[int]:
    numbers, here = [], 0
    for step in json.loads(zlib.decompress(packed)):
        here += step
        numbers.append(here)
    return numbers
