"""Where one tool stands in each catalog that holds its server."""

from dataclasses import dataclass
from typing import Literal

from catalog.exposure import Exposure
from catalog.indexing import exposure_of
from catalog.models import Catalog, Tool


@dataclass(frozen=True, slots=True)
class Place:
    """`reason` says which rule left the tool out, where one did."""

    catalog: Catalog
    word: Literal["from the start", "discoverable", "left out"]
    reason: str = ""


def places_of(tool: Tool) -> list[Place]:
    catalogs = Catalog.objects.filter(servers__server=tool.server_id)
    return [_place(catalog, exposure_of(catalog), str(tool)) for catalog in catalogs]


def _place(catalog: Catalog, exposure: Exposure, key: str) -> Place:
    if any(tool.key == key for tool in exposure.pool.upfront):
        return Place(catalog, "from the start")
    out = next((out for out in exposure.left_out if out.tool.key == key), None)
    return Place(catalog, "left out", out.reason) if out else Place(catalog, "discoverable")
