"""Tools of the rows as they are written out: what a model reads of them, so that edits of this house go along."""

from collections.abc import Iterable, Iterator

from catalog.batches import BATCH
from catalog.models import Tool
from catalog.models.tool import ToolQuerySet
from catalog.sources.tool_entry import ListedTool
from catalog.sources.writing import FORMATS


def written_tools(tools: ToolQuerySet, kind: str) -> Iterator[str]:
    """The text, in pieces, in one of the formats of `writing.FORMATS`. Skills and agents are left out.

    Formats that a model is given name a tool as models call it; tools of several servers are told apart in the others.
    """
    found = tools.filter(capability=Tool.Capability.TOOL).order_by("server__slug", "name")
    several = found.order_by().values("server").distinct().count() > 1
    rows = found.select_related("server").iterator(chunk_size=BATCH)
    return FORMATS[kind].write(_listed(rows, kind, several))


def _listed(rows: Iterable[Tool], kind: str, several: bool) -> Iterable[ListedTool]:
    for row in rows:
        is_called = FORMATS[kind].is_called or (several and kind == "mcp")
        yield listed(row, name=row.exposed_name if is_called else row.name, group=row.server.slug if several else "")


def listed(row: Tool, name: str, group: str = "") -> ListedTool:
    """A row with what people wrote over it, as a source would list it. Its server must be loaded."""
    return ListedTool(
        name=name,
        title=row.title,
        description=row.description if row.own_description is None else row.own_description,
        parameters=row.parameters,
        output_schema=row.output_schema or None,
        annotations=row.annotations,
        localised=row.localised,
        category=row.effective_category,
        tags=tuple(row.effective_tags),
        permission=row.effective_permission or None,  # type: ignore[arg-type]
        aliases=tuple(row.aliases),
        search_text=row.search_text,
        simulated_result=row.simulated_result,
        group=group,
        available=row.enabled,
        searchable=row.searchable,
        platforms=tuple(row.platforms),
    )
