"""Catalogs that were deleted, in whatever process: nothing of them stays in the memory of this one, nor on disk."""

import asyncio
from functools import partial

from catalog.generations import kept_of
from catalog.index_folders import indexed_catalogs
from catalog.indexing import let_go
from catalog.models import Catalog
from catalog.repeating import repeat

LOOK_EVERY = 5.0
"""Seconds."""


def let_go_of_deleted() -> None:
    kept = kept_of() | indexed_catalogs()
    for catalog in kept - set(Catalog.objects.filter(pk__in=kept).values_list("pk", flat=True)):
        let_go(catalog)


async def keep_letting_go() -> None:
    """As long as the process serves."""
    await repeat(partial(asyncio.to_thread, let_go_of_deleted), LOOK_EVERY, "deleted catalogs could not be looked for")
