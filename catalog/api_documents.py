"""OpenAPI documents of servers: fetching or taking one, keeping what it offers, and which of it was chosen.

What a document offers are rows of their own; a chosen operation becomes a tool by an import like any other.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from catalog.connections import api_connection_of
from catalog.models import ApiDocument, Operation, Server
from catalog.models.api_document import tag_words
from catalog.sources.listing import ListedTool, Listing, Problem
from catalog.sources.openapi import listing as openapi
from catalog.sources.openapi.fetching import Fetched, fetch
from catalog.sources.openapi.operations import Operation as ReadOperation
from catalog.tools import ToolSpec

CHARACTERS_A_TOKEN = 4
"""How the cost of an operation in a prompt is estimated before it is a tool."""
BATCH = 200
NAMED = 10


def fetch_document(server: Server) -> None:
    """Fetch the document from its address, and keep what it offers. Raises SourceError."""
    known = ApiDocument.objects.filter(server=server, source=server.document_url).first()
    etag, last_modified = (known.etag, known.last_modified) if known else ("", "")
    connection = api_connection_of(server)
    fetched = asyncio.run(fetch(server.document_url, connection, etag, last_modified))
    if fetched.content is None:
        ApiDocument.objects.filter(server=server).update(read_at=timezone.now())
    else:
        _keep(server, openapi.read(fetched.content, server.document_url), server.document_url, fetched)


def take_document(server: Server, content: bytes, source: str) -> None:
    """Keep what an uploaded document offers. Raises SourceError."""
    _keep(server, openapi.read(content), source, Fetched(content))


def chosen_listing(server: Server) -> Listing:
    """The chosen operations as a list of tools, with what there is to say of them."""
    chosen = list(server.operations.filter(is_chosen=True))
    places = {operation.key for operation in chosen} | {openapi.DOCUMENT}
    problems = [Problem(**problem) for problem in ApiDocument.objects.get(server=server).problems]
    told = [problem for problem in problems if problem.where in places]
    tools = tuple(ListedTool(**operation.tool) for operation in chosen)
    return Listing(tools, (*_on_new(server), *told))


def _keep(server: Server, listing: openapi.ApiListing, source: str, fetched: Fetched) -> None:
    with transaction.atomic():
        document, _ = ApiDocument.objects.update_or_create(
            server=server,
            defaults={
                "source": source[:300],
                "title": listing.title,
                "version": listing.version,
                "addresses": list(listing.addresses),
                "schemes": [asdict(scheme) for scheme in listing.schemes],
                "problems": [asdict(problem) for problem in listing.problems],
                "etag": fetched.etag,
                "last_modified": fetched.last_modified,
                "read_at": timezone.now(),
            },
        )
        before = {(one.method, one.path): one for one in server.operations.defer("tool", "description")}
        rows = [_row(server, place, one) for place, one in enumerate(listing.operations)]
        for row in rows:
            _carry_over(row, before, document.takes_new)
        server.operations.all().delete()
        Operation.objects.bulk_create(rows, batch_size=BATCH)
        if listing.addresses and not server.url:
            server.url = listing.addresses[0]
        server.sync_problem = ""
        server.save(update_fields=["url", "sync_problem", "updated_at"])


def _row(server: Server, position: int, operation: ReadOperation) -> Operation:
    tool = operation.tool
    return Operation(
        server=server,
        position=position,
        method=operation.method,
        path=operation.path,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        tag_words=tag_words(tool.tags),
        is_deprecated=operation.is_deprecated,
        tokens=_tokens(tool),
        tool=asdict(tool),
    )


def _carry_over(row: Operation, before: dict[tuple[str, str], Operation], takes_new: bool) -> None:
    """A choice stays with its method and path, and so does the number under which a page shows it; the rest is new."""
    known = before.get((row.method, row.path))
    if known is not None:
        row.pk, row.is_chosen, row.is_new = known.pk, known.is_chosen, known.is_new
    elif before:
        row.is_chosen, row.is_new = takes_new and not row.is_deprecated, True


def _tokens(tool: ListedTool) -> int:
    spec = ToolSpec(name=tool.name, description=tool.description, parameters=tool.parameters)
    text = json.dumps(spec.as_function(), ensure_ascii=False, separators=(",", ":"))
    return -(-len(text) // CHARACTERS_A_TOKEN)


def _on_new(server: Server) -> Iterable[Problem]:
    new = list(server.operations.filter(is_new=True, is_chosen=False).values_list("name", flat=True))
    if new:
        named = ", ".join(new[:NAMED]) + (f" and {len(new) - NAMED:,} more" if len(new) > NAMED else "")
        yield Problem(openapi.DOCUMENT, f"It offers {len(new):,} new, which nobody chose yet: {named}.")
