"""How a catalog stands with its versions, for its pages: what is in force, what is not published, what can be asked for."""

from dataclasses import dataclass

from catalog.editions import DRAFT, PUBLISHED, Edition
from catalog.models import Catalog, CatalogVersion
from catalog.publishing.acts import latest_version, unpublished

OFFERED = 20
"""Versions that a list offers, besides the one that is chosen."""
COMPARED = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """`latest` is in force, unless the catalog publishes itself: then agents get `changes`, too. None before the first."""

    publishes_itself: bool
    latest: CatalogVersion | None
    changes: int


def standing_of(catalog: Catalog) -> Standing:
    summary = unpublished(catalog)
    return Standing(catalog.publishes_itself, latest_version(catalog), summary.count if summary else 0)


def versions_beside(version: CatalogVersion) -> list[tuple[str, str]]:
    """What a version can be compared with, as an address names it and in words."""
    others = version.catalog.versions.exclude(pk=version.pk).order_by("-number").values_list("number", flat=True)
    return [(DRAFT, "the draft"), *((str(number), f"version {number}") for number in others[:COMPARED])]


def editions_of(catalog: Catalog, chosen: Edition | None = None) -> list[tuple[str, str]]:
    """What can be searched or run, as an address names it and in words: what agents get, the draft, the latest versions."""
    numbers = list(catalog.versions.order_by("-number").values_list("number", flat=True)[:OFFERED])
    if chosen and chosen.number and chosen.number not in numbers:
        numbers.append(chosen.number)
    if catalog.publishes_itself:
        return [(PUBLISHED, "As it is now"), *((str(number), f"Version {number}") for number in numbers)]
    in_force = f"Published: version {numbers[0]}" if numbers else "Published"
    return [(PUBLISHED, in_force), (DRAFT, "Draft"), *((str(one), f"Version {one}") for one in numbers[1:])]
