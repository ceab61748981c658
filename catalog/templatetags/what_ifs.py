"""What-ifs as pages tell them: addresses, and figures with their signs."""

from typing import Literal

from django import template
from django.urls import reverse

from catalog.forms.what_if import ALL_EDITS, WhatIfAddress, publishing_address, shape_address
from catalog.models import Catalog, Tool
from catalog.whatif.shapes import Shape
from catalog.whatif.shifts import FIGURE, Move, Shift

register = template.Library()


@register.simple_tag
def what_if_address(address: WhatIfAddress, **other: str) -> str:
    """The address with other parts."""
    return address.to(**other)


@register.simple_tag
def draft_what_if(catalog: str, edit: str = ALL_EDITS, show: str = "") -> str:
    """The page of what publishing a catalog's draft does, or one edit of it alone."""
    return publishing_address(catalog, edit).to(show=show)


@register.simple_tag
def shape_tried(
    catalog: Catalog, part: Literal["shown", "hidden", "excluded", "included"], tool: Tool
) -> WhatIfAddress | None:
    """The address of what the catalog would be with the tool in that part of a Shape."""
    parts = {part: (str(tool),)}
    none: tuple[str, ...] = ()
    shown, hidden, excluded, included = (parts.get(name, none) for name in ("shown", "hidden", "excluded", "included"))
    return shape_address(catalog, Shape(None, shown, hidden, excluded, included))


@register.filter
def moves(shift: Shift, key: str) -> list[Move]:
    return shift.moves(key)


@register.filter
def gained(value: float) -> str:
    """A difference of two figures, with its sign: `+0.05`, `−0.10`, `0`."""
    digits = f"{abs(value):.3f}".rstrip("0").rstrip(".")
    return "0" if digits == "0" else f"{'+' if value > 0 else '−'}{digits}"


@register.filter
def get_figure(figures: dict[str, float]) -> float:
    """The one by which a query is better or worse."""
    return figures[FIGURE]


@register.filter
def figure(value: float) -> str:
    return f"{value:.3f}"


@register.filter
def tool_address(key: str) -> str:
    """The page of `server/name`."""
    return reverse("tool", args=key.split("/", 1))


@register.filter
def tool_server(key: str) -> str:
    """The server in `server/name`."""
    return key.partition("/")[0]


@register.filter
def tool_name(key: str) -> str:
    """The name in `server/name`."""
    return key.partition("/")[2]
