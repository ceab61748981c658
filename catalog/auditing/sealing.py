"""Giving audit entries their places in the chain, and asking whether the chain still fits.

An entry is written in the transaction of the change, without a place. Once that is committed, a short transaction of its
own, of which there is one at a time, seals all that wait. So no lock of the chain is ever held while a change goes on:
changes cannot wait for each other by way of the audit, and the chain cannot fork.
"""

import json
from collections.abc import Iterator

from django.db import connection, transaction
from django.db.models import QuerySet

from catalog.auditing.chain import START, Link, Misfit, first_misfit, hash_of
from catalog.models import AuditEntry

LOCK = 0x7065_6762_6F61_7264
"""The advisory lock of whoever seals, on PostgreSQL; on SQLite there is one writer at any time."""


def seal() -> int:
    """Seal every entry that waits, in the order written; how many there were."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        waiting = list(AuditEntry.objects.filter(number=None).order_by("id"))
        end, last = _end() if waiting else (0, START)
        for number, entry in enumerate(waiting, start=end + 1):
            entry.number, entry.previous = number, last
            entry.hash = last = hash_of(number, entry.said, entry.previous)
            _sealing(entry).update(number=number, previous=entry.previous, hash=entry.hash)
        return len(waiting)


def verify() -> Misfit | None:
    """The first entry that does not fit, from the first that is kept to the last that is sealed."""
    number, last = pruned_end()
    return first_misfit(_links(), number, last)


def pruned_end() -> tuple[int, str]:
    """The number and the hash of the last entry that was pruned, as the newest entry on pruning has them."""
    anchor = AuditEntry.objects.exclude(pruned_to=None).order_by("-pruned_to").first()
    if anchor is None or anchor.pruned_to is None:
        return 0, START
    return anchor.pruned_to, json.loads(anchor.after)["last hash"]


def _end() -> tuple[int, str]:
    last = AuditEntry.objects.sealed().last()
    return (last.number or 0, last.hash) if last else pruned_end()


def _links() -> Iterator[Link]:
    return (entry.to_link() for entry in AuditEntry.objects.sealed().iterator(chunk_size=500))


def _sealing(entry: AuditEntry) -> QuerySet[AuditEntry]:
    """The one way past the refusal to change an entry; the database lets it through for one that is not sealed."""
    return QuerySet(AuditEntry).filter(pk=entry.pk, number=None)
