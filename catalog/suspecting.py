"""What is suspicious in tools that are to be imported, their names held against those of all other servers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from catalog.batches import batched
from catalog.models import Server, Tool
from catalog.planning import upstream_of
from catalog.progress import Tell, untold
from catalog.sources.listing import ListedTool
from catalog.suspicion.names import KnownNames, skeleton
from catalog.suspicion.scanning import scan

Found = dict[str, list[dict[str, Any]]]
"""By name, of those tools that have some."""


def suspicions_of(server: Server, tools: Sequence[ListedTool], tell: Tell = untold) -> Found:
    """What stands in their definitions, and what their names borrow."""
    scanned: Found = {}
    for done, tool in enumerate(tools, start=1):
        tell(done)
        if suspicions := scan({**upstream_of(tool), "name": tool.name}):
            scanned[tool.name] = [asdict(suspicion) for suspicion in suspicions]
    return _beside_names(server, (tool.name for tool in tools), scanned)


def suspicions_still(server: Server, names: Sequence[str], before: Mapping[str, Sequence[dict[str, Any]]]) -> Found:
    """The same of definitions that were looked through before and are as they were: only other servers may have changed."""
    scanned = {name: [one for one in before.get(name, ()) if one["kind"] != "borrowed name"] for name in names}
    return _beside_names(server, names, {name: found for name, found in scanned.items() if found})


def _beside_names(server: Server, names: Iterable[str], scanned: Found) -> Found:
    found: Found = {}
    for batch in batched(names):
        known = _known(server, batch)
        for name in batch:
            borrowed = [asdict(suspicion) for suspicion in known.mimicked(name)]
            if here := [*borrowed, *scanned.get(name, ())]:
                found[name] = here
    return found


def _known(server: Server, names: Sequence[str]) -> KnownNames:
    """Those of other servers that are the same to the eye as one of these."""
    alike = Tool.objects.here().filter(looks_like__in={skeleton(name)[:200] for name in names})
    others = alike.exclude(server=server.pk).order_by("server__slug", "name")
    return KnownNames(others.values_list("server__slug", "name"))
