"""Deleting audit entries that are older than the setting says, so that the chain of those that stay can still be verified."""

import asyncio
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.auditing.acts import Act
from catalog.auditing.facts import written
from catalog.auditing.sealing import seal
from catalog.models import AuditEntry
from catalog.origins import current_origin
from catalog.repeating import repeat

LOOK_EVERY = 3600.0
"""Seconds between two looks at what is too old."""


def prune(before: datetime) -> int:
    """Delete the entries from before then, and have an entry say so, with the hash of the last of them; how many.

    The chain is cut at its beginning: an entry that is newer keeps all that were sealed behind it.
    """
    seal()
    with transaction.atomic():
        kept = AuditEntry.objects.sealed().filter(at__gte=before).first()
        old = AuditEntry.objects.sealed()
        old = old.filter(number__lt=kept.number) if kept else old
        last, count = old.last(), old.count()
        if last is None:
            return 0
        facts = {"entries": count, "up to": last.at, "last hash": last.hash}
        origin = current_origin()
        AuditEntry.objects.create(
            at=timezone.now(),
            act=Act.PRUNED.value,
            after=written(facts),
            pruned_to=last.number,
            way=origin.way,
            way_title=origin.title,
            who=origin.login,
        )
        QuerySet(AuditEntry).filter(number__lte=last.number)._raw_delete(using="default")
        transaction.on_commit(seal, robust=True)
    return count


def prune_old() -> int:
    """As the setting says; also seals what a process that ended left unsealed."""
    seal()
    days = settings.PEGBOARD_AUDIT_DAYS
    return prune(timezone.now() - timedelta(days=days)) if days else 0


async def keep_pruning() -> None:
    """As long as the process serves."""
    await repeat(partial(asyncio.to_thread, prune_old), LOOK_EVERY, "the audit could not be pruned", at_once=True)
