"""The tools that an import has read, kept row by row from its plan until it is applied or discarded."""

from collections.abc import Iterable, Sequence
from dataclasses import fields

from catalog.batches import BATCH, batched
from catalog.models import Import, StagedTool
from catalog.sharing import shared_json
from catalog.sources.listing import ListedTool

FIELDS = tuple(field.name for field in fields(ListedTool))


def keep_staged(importation: Import, tools: Sequence[ListedTool]) -> None:
    """In the place of what was kept before."""
    drop_staged(importation)
    for start in range(0, len(tools), BATCH):
        batch = tools[start : start + BATCH]
        StagedTool.objects.bulk_create(
            StagedTool(importation=importation, name=tool.name, content={name: getattr(tool, name) for name in FIELDS})
            for tool in batch
        )


def drop_staged(importation: Import) -> None:
    importation.staged_tools.all()._raw_delete(importation.staged_tools.db)


def staged_tools(importation: Import) -> list[ListedTool]:
    """All, in the order in which they were read."""
    contents = importation.staged_tools.order_by("pk").values_list("content", flat=True)
    return [ListedTool(**shared_json(content)) for content in contents.iterator(chunk_size=BATCH)]


def staged_named(importation: Import, names: Iterable[str]) -> dict[str, ListedTool]:
    """Those of these names."""
    return {
        row.name: ListedTool(**row.content)
        for batch in batched(names)
        for row in importation.staged_tools.filter(name__in=batch).order_by("pk")
    }
