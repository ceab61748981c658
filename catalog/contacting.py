"""Reaching MCP servers, and keeping how it went: reading their tools, and testing the connection."""

import asyncio
import time
from collections.abc import Callable

from django.db import transaction

from catalog.connections import connection_of
from catalog.models import Contact, Introduction, Server
from catalog.sources import mcp
from catalog.sources.listing import Listing, SourceError

KEPT = 50
"""Contacts that are kept of a server."""


def read_tools(server: Server, on_progress: Callable[[int], None] | None = None) -> Listing:
    """Ask a server for its tools. Raises SourceError."""
    connection = connection_of(server)
    began = time.monotonic()
    try:
        listing = asyncio.run(mcp.read(connection, on_progress))
    except SourceError as problem:
        keep_contact(server.pk, Contact.Kind.READ, time.monotonic() - began, str(problem))
        raise
    keep_contact(server.pk, Contact.Kind.READ, time.monotonic() - began)
    _introduce(server.pk, listing.server_title, listing.server_version, listing.protocol, listing.instructions)
    return listing


def keep_contact(server: int, kind: Contact.Kind, seconds: float, problem: str = "") -> None:
    """For a server that is still there, by its key."""
    with transaction.atomic():
        if Server.objects.filter(pk=server).exists():
            Contact.objects.create(server_id=server, kind=kind, seconds=seconds, problem=problem)
            _forget_older(server)


def begin_test(server: Server) -> Contact | None:
    """A test to be carried out, or None where one is under way."""
    if server.contacts.under_way().exists():
        return None
    server.contacts.filter(seconds=None).delete()
    return Contact.objects.create(server=server, kind=Contact.Kind.TEST)


def carry_out_test(contact: Contact) -> None:
    """Connect, have the server introduce itself, ping it, and take leave; nothing is read or imported."""
    server = contact.server
    began = time.monotonic()
    try:
        greeting = asyncio.run(mcp.greet(connection_of(server)))
    except SourceError as problem:
        contact.problem = str(problem)
    else:
        contact.verdict = greeting.sentence
        _introduce(server.pk, greeting.name, greeting.version, greeting.protocol, greeting.instructions)
    contact.seconds = time.monotonic() - began
    if Contact.objects.filter(pk=contact.pk).exists():
        contact.save()
    _forget_older(server.pk)


def _introduce(server: int, name: str, version: str, protocol: str, instructions: str) -> None:
    with transaction.atomic():
        if Server.objects.filter(pk=server).exists():
            said = {"name": name, "version": version, "protocol": protocol, "instructions": instructions}
            Introduction.objects.update_or_create(server_id=server, defaults=said)


def _forget_older(server: int) -> None:
    kept = Contact.objects.filter(server=server).ended()
    kept.exclude(pk__in=list(kept.values_list("pk", flat=True)[:KEPT])).delete()
