"""Which edition of its catalog a run was of, for the pages that look back at it."""

from catalog.editions import PUBLISHED, Edition, draft
from catalog.models import Catalog
from catalog.publishing.asking import at_version
from playground.models import Run


def edition_of_run(run: Run, catalog: Catalog) -> Edition:
    """Of a draft, and of a catalog that publishes itself, what it is by now."""
    if run.version is None or (run.edition == PUBLISHED and catalog.publishes_itself):
        return draft(catalog)
    return at_version(run.version)
