"""The changes that can be asked about: an edit of a tool, another engine or other settings, another version."""

from dataclasses import replace
from functools import partial

from catalog.exposing import candidate
from catalog.indexing import exposure_of, revision_of
from catalog.models import Catalog, Tool
from catalog.search.choosing import ChosenEngine
from catalog.whatif.in_view import in_view
from catalog.whatif.known import queries_of
from catalog.whatif.rows import side_of, tools_with, with_tools
from catalog.whatif.shapes import Shape, shaped
from catalog.whatif.under_way import Change


def tool_change(catalog: Catalog, tool: Tool, name: str = "") -> Change:
    """The tool saved as it stands here, filled in from a form or a draft; under another name, if its source gave it one."""
    tools = tools_with(catalog, tool, name)
    return Change(
        f"tool {candidate(tool, False)} {name}",
        revision_of(catalog),
        queries_of(catalog),
        side_of(catalog),
        partial(with_tools, tools),
    )


def shape_change(catalog: Catalog, shape: Shape) -> Change:
    """Other filters, or other tools that are excluded or in view from the start. Raises UnfitDraftError."""
    pool = shaped(catalog, shape).pool
    return Change(
        f"shape {shape}",
        revision_of(catalog),
        queries_of(catalog),
        side_of(catalog),
        partial(with_tools, pool.searchable),
        in_view(exposure_of(catalog).pool, pool),
    )


def engine_change(catalog: Catalog, engine: ChosenEngine) -> Change:
    """Another engine, or other settings; the catalog's own where nothing is to be changed."""
    before = side_of(catalog)
    return Change(
        f"engine {engine}",
        revision_of(catalog),
        queries_of(catalog),
        before,
        lambda side, folder: side if engine == side.engine else replace(side, engine=engine),
    )
