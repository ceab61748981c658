"""The steps of an import that take time, told to its row as they go: reading a source, applying, building indexes."""

import time
from collections.abc import Collection

from django.contrib.auth.models import User

from catalog import background
from catalog.api_documents import chosen_listing, fetch_document, take_document
from catalog.contacting import read_tools
from catalog.importing import ImportRefused, apply, fail, stage
from catalog.indexing import corpus_of
from catalog.models import Catalog, Import, Server
from catalog.progress import Tell, begin, end
from catalog.sources import skills, tool_file
from catalog.sources.listing import Listing, SourceError
from catalog.token_counts import count_tokens

TELL_EVERY = 0.5
"""Seconds between two words on progress."""
BROKE_OFF = "It broke off, and nothing was changed. The log of the server says why."


def read_live(importation: Import) -> None:
    """Ask the server for its tools, and plan the import of what it answers."""
    server = importation.server
    try:
        if server.kind == Server.Kind.OPENAPI:
            fetch_document(server)
            _stage_chosen(importation)
        else:
            _stage(importation, read_tools(server, _teller(importation, "Reading tools")))
    except SourceError as error:
        fail(importation, str(error))
        server.sync_problem = str(error)
        server.save(update_fields=["sync_problem"])


def read_file(importation: Import, content: bytes) -> None:
    """Parse a saved listing, or an archive of skills, and plan the import of what it holds."""
    try:
        if importation.server.kind == Server.Kind.OPENAPI:
            take_document(importation.server, content, importation.source)
            _stage_chosen(importation)
        else:
            _stage(importation, read_content(importation.server, content))
    except SourceError as error:
        fail(importation, str(error))


def read_content(server: Server, content: bytes) -> Listing:
    """A file as its server's kind has it. Raises SourceError."""
    return skills.read(content) if server.kind == Server.Kind.SKILLS else tool_file.read(content)


def carry_out(importation: Import, by: User | None, accepted: Collection[str] = ()) -> None:
    """Apply a claimed import, with the changes of meaning that were accepted, then build the index of every catalog that it touches."""
    try:
        apply(importation, by, accepted, begin(importation, "Writing tools"))
    except ImportRefused as error:
        fail(importation, str(error))
        return
    except Exception:
        fail(importation, BROKE_OFF)
        raise
    finally:
        end(importation)
    _tell(importation, "Indexing", 0)
    for catalog in Catalog.objects.filter(servers__server=importation.server_id):
        corpus_of(catalog, _teller(importation, f"Indexing for {catalog.title}"))
    _tell(importation, "", importation.total)
    background.go_on()
    count_tokens(importation.server)


def _stage_chosen(importation: Import) -> None:
    """Plan the import of the operations that are chosen; before any is, a person chooses first."""
    operations = importation.server.operations
    if operations.filter(is_chosen=True).exists() or not operations.exists():
        _stage(importation, chosen_listing(importation.server))
        return
    importation.state, importation.total = Import.State.CHOOSING, operations.count()
    importation.save(update_fields=["state", "total"])


def _stage(importation: Import, listing: Listing) -> None:
    if listing.tools:
        _tell(importation, "Looking through tools", 0, total=len(listing.tools))
        stage(importation, listing, _teller(importation, "Looking through tools"))
        return
    reasons = "; ".join(f"{problem.where}: {problem.message}" for problem in listing.problems[:3])
    fail(importation, f"No tool could be read from it. {reasons}".strip())


def _teller(importation: Import, step: str) -> Tell:
    """Writes the count to the row, not more often than is worth reading.

    What it returns raises StoppedError once the import was discarded.
    """
    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        if time.monotonic() - last >= TELL_EVERY:
            last = time.monotonic()
            _tell(importation, step, done)

    return tell


def _tell(importation: Import, step: str, done: int, **more: int) -> None:
    going_on = Import.objects.filter(pk=importation.pk).exclude(state=Import.State.DISCARDED)
    if not going_on.update(step=step, done=done, **more):
        raise background.StoppedError
