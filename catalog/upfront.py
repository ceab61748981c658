"""What a catalog shows from the start, with its price each turn, what it excludes, and finding tools to add to either."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from catalog.exposure import SPECIAL_CATEGORIES, Exposure
from catalog.models import Catalog, Tool
from catalog.prompt_size import estimate_tool, estimate_tools
from catalog.tools import ToolSpec

MOST_FOUND = 20
State = Literal["from the start", "always in view", "discoverable", "excluded", "left out"]


@dataclass(frozen=True, slots=True)
class Priced:
    """A tool, its tokens each turn it is in view (estimated), and where it stands; `reason` says why it is left out."""

    tool: Tool
    tokens: int
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Upfront:
    """`tokens` is what those in view from the start cost each turn, `all_tokens` what all tools would."""

    chosen: tuple[Priced, ...]
    special: tuple[tuple[ToolSpec, int], ...]
    excluded: tuple[Priced, ...]
    tokens: int
    all_tokens: int


def upfront_of(catalog: Catalog, exposure: Exposure) -> Upfront:
    """The catalog with its parts loaded."""
    chosen = [row.tool for row in catalog.pre_discovered.all()]
    special = [spec for spec in exposure.pool.upfront if spec.category in SPECIAL_CATEGORIES]
    return Upfront(
        chosen=tuple(_priced(chosen, catalog, exposure)),
        special=tuple((spec, estimate_tool(spec)) for spec in special),
        excluded=tuple(_priced(catalog.excluded.all(), catalog, exposure)),
        tokens=estimate_tools(exposure.pool.upfront),
        all_tokens=estimate_tools(exposure.pool),
    )


def found_in(catalog: Catalog, exposure: Exposure, query: str) -> tuple[Priced, ...]:
    """The first tools of the catalog's servers that have every word of the query; none without one."""
    if not query.split():
        return ()
    tools = Tool.objects.filter(server__in_catalogs__catalog=catalog).here().matching(query)
    return tuple(_priced(tools.select_related("server")[:MOST_FOUND], catalog, exposure))


def _priced(tools: Iterable[Tool], catalog: Catalog, exposure: Exposure) -> Iterator[Priced]:
    chosen = {row.tool_id for row in catalog.pre_discovered.all()}
    excluded = {tool.pk for tool in catalog.excluded.all()}
    reasons = {out.tool.key: out.reason for out in exposure.left_out}
    upfront = {spec.key for spec in exposure.pool.upfront}
    for tool in tools:
        spec = tool.to_spec()
        reason = reasons.get(spec.key, "")
        state: State = "discoverable"
        if tool.pk in excluded and reason:
            state = "excluded"
        elif reason:
            state = "left out"
        elif spec.key in upfront:
            state = "from the start" if tool.pk in chosen else "always in view"
        yield Priced(tool, estimate_tool(spec), state, reason)
