"""The changes that can be asked about: an edit of a tool, another engine or other settings, another version."""

from dataclasses import replace
from functools import partial

from catalog.exposing import candidate
from catalog.indexing import revision_of
from catalog.models import Catalog, Tool
from catalog.search.choosing import ChosenEngine
from catalog.whatif.known import queries_of
from catalog.whatif.rows import side_of, tools_with, with_tools
from catalog.whatif.under_way import Change


def tool_change(catalog: Catalog, tool: Tool) -> Change:
    """The tool saved as it stands here, filled in from a form or a draft."""
    tools = tools_with(catalog, tool)
    return Change(
        f"tool {candidate(tool, False)}",
        revision_of(catalog),
        queries_of(catalog),
        side_of(catalog),
        partial(with_tools, tools),
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
