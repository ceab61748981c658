"""What pages over whole catalogs need, made ready when a process starts, so that the first reader does not wait for it."""

from catalog import background
from catalog.indexing import exposure_of
from catalog.models import Catalog
from catalog.prompt_size import estimate_tools
from catalog.token_counts import count_tokens


def warm() -> None:
    """Read every catalog and what its tools cost, in the background."""
    background.submit(_warm)


def _warm() -> None:
    count_tokens()
    for catalog in Catalog.objects.all():
        background.go_on()
        estimate_tools(exposure_of(catalog).pool)
