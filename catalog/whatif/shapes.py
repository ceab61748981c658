"""What a catalog would let in, exclude and show from the start, as a text for an address and as what it would expose."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from catalog.exposing import pre_discovered_keys
from catalog.exposure import Exposure, expose
from catalog.models import Catalog, CatalogServer, Server
from catalog.patterns import PatternError, compile_glob
from catalog.previewing import candidates_with
from catalog.shaping import filter_of
from catalog.whatif.packing import UnfitDraftError, packed, unpacked

Filter = tuple[str, str, tuple[str, ...]]
"""A server, its choice (`everything`, `patterns` or `picked`) and the names that this goes by."""
MOST_PATTERNS = 500


@dataclass(frozen=True, slots=True)
class Shape:
    """`filters` are those of every server of the catalog, in order; None leaves them as they are.

    The others are keys (`server/tool`) of tools that come in view from the start, no longer do, are excluded, or no longer are.
    """

    filters: tuple[Filter, ...] | None = None
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    included: tuple[str, ...] = ()


def shape_of(rows: Sequence[CatalogServer]) -> Shape:
    """Of filters as a form has them."""
    return Shape(tuple((row.server.slug, row.choice, tuple(row.picked or row.patterns)) for row in rows))


def shape_text(shape: Shape) -> str:
    """Empty where it is too long for an address."""
    return packed(
        {name: value for name, value in asdict(shape).items() if value or (value == () and name == "filters")}
    )


def read_shape(text: str) -> Shape:
    """Raises UnfitDraftError."""
    said = unpacked(text)
    try:
        filters = said.get("filters")
        keys = {name: _names(said.get(name, ())) for name in ("shown", "hidden", "excluded", "included")}
        shape = Shape(None if filters is None else tuple(_filter(*one) for one in filters), **keys)
    except (AttributeError, TypeError, ValueError, PatternError) as error:
        raise UnfitDraftError("The address has filters that cannot be read.") from error
    if sum(len(names) for _, choice, names in shape.filters or () if choice == "patterns") > MOST_PATTERNS:
        raise UnfitDraftError(f"More than {MOST_PATTERNS} patterns are not tried.")
    return shape


def shaped(catalog: Catalog, shape: Shape) -> Exposure:
    """What the catalog would expose. Raises UnfitDraftError for a server that is not there."""
    rows = list(catalog.servers.select_related("server")) if shape.filters is None else _rows(catalog, shape.filters)
    found = candidates_with(catalog, rows)
    candidates = [replace(one, excluded=_is_excluded(one.spec.key, one.excluded, shape)) for one in found]
    kept = [key for key in pre_discovered_keys(catalog) if key not in shape.hidden]
    return expose(candidates, catalog.selection_of(rows), [*kept, *(key for key in shape.shown if key not in kept)])


def _is_excluded(key: str, now: bool, shape: Shape) -> bool:
    return key in shape.excluded or (now and key not in shape.included)


def _rows(catalog: Catalog, filters: Sequence[Filter]) -> list[CatalogServer]:
    servers: Mapping[str, Server] = Server.objects.in_bulk([slug for slug, *_ in filters], field_name="slug")
    if any(slug not in servers for slug, *_ in filters):
        raise UnfitDraftError("The address has filters of a server that is no more.")
    return [
        CatalogServer(catalog=catalog, server=servers[slug], **filter_of(choice, names))
        for slug, choice, names in filters
    ]


def _filter(slug: Any, choice: Any, names: Any) -> Filter:
    if choice not in ("everything", "patterns", "picked"):
        raise ValueError(choice)
    named = _names(names)
    for name in named if choice == "patterns" else ():
        compile_glob(name)
    return str(slug), str(choice), named


def _names(said: Any) -> tuple[str, ...]:
    if not isinstance(said, list | tuple):
        raise TypeError(said)
    return tuple(map(str, said))
