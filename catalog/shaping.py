"""Shaping a catalog: which servers are in it, which tools show from the start, which are excluded."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from catalog.models import Catalog, CatalogServer, PreDiscovered, Server, Tool


def place_server(catalog: Catalog, server: Server, choice: str, names: Sequence[str] = ()) -> None:
    """Put a server into a catalog whole (`everything`), by patterns (`patterns`) or exact names (`picked`), or take it out (`none`)."""
    if choice == "none":
        catalog.servers.filter(server=server).delete()
        return
    wanted = filter_of(choice, names)
    CatalogServer.objects.update_or_create(
        catalog=catalog,
        server=server,
        defaults=wanted,
        create_defaults=wanted | {"position": _next_position(catalog.servers.all())},
    )


def filter_of(choice: str, names: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a `CatalogServer` that are its filter."""
    return {
        "everything": choice == "everything",
        "patterns": list(names) if choice == "patterns" else [],
        "picked": list(names) if choice == "picked" else [],
    }


def show_upfront(catalog: Catalog, tool: Tool) -> None:
    """Add a tool at the end of those in view from the start."""
    position = _next_position(catalog.pre_discovered.all())
    PreDiscovered.objects.get_or_create(catalog=catalog, tool=tool, defaults={"position": position})


def withdraw(catalog: Catalog, tool: Tool) -> None:
    """Take a tool from those in view from the start; a search still finds it."""
    catalog.pre_discovered.filter(tool=tool).delete()


def exclude(catalog: Catalog, tool: Tool) -> None:
    catalog.excluded.add(tool)


def include(catalog: Catalog, tool: Tool) -> None:
    catalog.excluded.remove(tool)


def move(catalog: Catalog, tool: Tool, places: int) -> None:
    """Move a pre-discovered tool up (negative) or down; at the end it stays where it is."""
    _place(catalog, tool, lambda here: here + places)


def move_to(catalog: Catalog, tool: Tool, place: int) -> None:
    """Move a pre-discovered tool to a place, of which the first is 0; what lies beyond the end is the last."""
    _place(catalog, tool, lambda here: place)


def _place(catalog: Catalog, tool: Tool, place_from: Callable[[int], int]) -> None:
    with transaction.atomic():
        rows = list(catalog.pre_discovered.select_for_update())
        here = next((place for place, row in enumerate(rows) if row.tool_id == tool.pk), None)
        if here is None:
            return
        rows.insert(max(0, place_from(here)), rows.pop(here))
        for position, row in enumerate(rows):
            row.position = position
        PreDiscovered.objects.bulk_update(rows, ["position"])


def _next_position(rows: QuerySet[Any]) -> int:
    last = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1
