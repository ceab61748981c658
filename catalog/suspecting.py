"""What is suspicious in tools that are to be imported, their names held against those of all other servers."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from catalog.models import Server, Tool
from catalog.planning import upstream_of
from catalog.sources.listing import ListedTool
from catalog.suspicion.names import KnownNames
from catalog.suspicion.scanning import scan


def suspicions_of(server: Server, tools: Sequence[ListedTool]) -> dict[str, list[dict[str, Any]]]:
    """By name, of those tools that have some."""
    others = Tool.objects.here().exclude(server=server.pk).order_by("server__slug", "name")
    known = KnownNames(others.values_list("server__slug", "name").iterator())
    found: dict[str, list[dict[str, Any]]] = {}
    for tool in tools:
        upstream = upstream_of(tool)
        if suspicions := [*known.mimicked(tool.name), *scan({**upstream, "name": tool.name})]:
            found[tool.name] = [asdict(suspicion) for suspicion in suspicions]
    return found
