"""The changes that can be asked about: an edit of a tool, another engine or other settings, what publishing a draft brings."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from catalog.exposing import candidate
from catalog.indexing import exposure_of, revision_of
from catalog.models import Catalog, Tool
from catalog.policy_rows import policy_to_try
from catalog.publishing.asking import published
from catalog.search.choosing import ChosenEngine
from catalog.whatif.edits import Wanted, edits_between, with_edits
from catalog.whatif.in_view import in_view
from catalog.whatif.known import queries_of
from catalog.whatif.queries import KnownQuery
from catalog.whatif.rows import engine_of, side_of, tools_with, with_tools
from catalog.whatif.shapes import Shape, shaped
from catalog.whatif.sides import Side
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


def wanted_of(catalog: Catalog) -> Wanted:
    """What its draft holds."""
    return Wanted(exposure_of(catalog).pool.searchable, engine_of(catalog), policy_to_try(catalog))


def publishing_change(catalog: Catalog, queries: Sequence[KnownQuery], edit: str = "") -> Change:
    """What agents get becomes what the draft holds; with the label of an `edit`, what they get with that edit alone."""
    edition, wanted = published(catalog), wanted_of(catalog)

    def after(side: Side, folder: Path) -> Side:
        edits = [one for one in edits_between(side, wanted) if edit in ("", one.label)]
        return with_edits(side, wanted, edits, folder)

    named = f"draft {edit} {revision_of(catalog)} {wanted.engine} {wanted.policy}"
    return Change(named, revision_of(edition), queries, side_of(edition), after)
