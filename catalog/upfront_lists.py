"""The list of pre-discovered tools as a whole: changing several at once, and putting back what was."""

from collections.abc import Iterable, Sequence

from catalog.models import Catalog, PreDiscovered, Tool
from catalog.shaping import show_upfront, withdraw


class UpfrontChangedError(Exception):
    """The list of what is in view from the start was changed since."""


def order_of(catalog: Catalog) -> dict[str, list[int]]:
    """The list as forms carry its version: keys of the tools' rows, in order."""
    return {"order": list(catalog.pre_discovered.values_list("tool_id", flat=True))}


def change_upfront(catalog: Catalog, added: Iterable[Tool], withdrawn: Iterable[Tool]) -> None:
    """Those that stay keep their order; those that are added come after them."""
    for tool in withdrawn:
        withdraw(catalog, tool)
    for tool in added:
        show_upfront(catalog, tool)


def put_back(catalog: Catalog, before: Sequence[int], after: Sequence[int]) -> None:
    """Make the list `before` again, without tools that are no more. Raises UpfrontChangedError where it is no longer `after`."""
    if order_of(catalog)["order"] != [*after]:
        raise UpfrontChangedError
    catalog.pre_discovered.all().delete()
    kept = set(Tool.objects.filter(pk__in=before).values_list("pk", flat=True))
    rows = [tool for tool in before if tool in kept]
    PreDiscovered.objects.bulk_create(
        PreDiscovered(catalog=catalog, tool_id=tool, position=place) for place, tool in enumerate(rows)
    )
