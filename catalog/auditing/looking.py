"""Looking through the audit: what a person may read, narrowed by filters, a page at a time by keyset, newest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from catalog.auditing.kinds import kinds_for
from catalog.models import AuditEntry
from catalog.models.audit_entry import AuditEntryQuerySet
from catalog.roles import Role

A_PAGE = 50
Filters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """Entries, newest first. `older` and `newer` are keys to go on from, 0 where there are none."""

    entries: Sequence[AuditEntry]
    older: int
    newer: int


def readable_by(role: Role) -> AuditEntryQuerySet:
    """An admin may read all; others what was done to rows of the kinds that they may read of."""
    entries: AuditEntryQuerySet = AuditEntry.objects.all()
    return entries if role is Role.ADMIN else entries.filter(kind__in=[kind.word for kind in kinds_for(role)])


def narrowed(entries: AuditEntryQuerySet, filters: Filters) -> AuditEntryQuerySet:
    """`who`, `act`, `kind` and `key` are compared whole, `name` in part; `since` and `until` are days, both included."""
    same = {name: filters[name] for name in ("who", "act", "kind", "key") if filters.get(name)}
    entries = entries.filter(**same)
    if name := filters.get("name"):
        entries = entries.filter(name__icontains=name)
    if since := filters.get("since"):
        entries = entries.filter(at__gte=_midnight(since))
    if until := filters.get("until"):
        entries = entries.filter(at__lt=_midnight(until + timedelta(days=1)))
    return entries


def page_of(entries: AuditEntryQuerySet, before: int | None, after: int | None) -> Page:
    """The entries that are older than the one of the key `before`, or newer than that of `after`; else the newest."""
    if after is not None:
        found = list(entries.filter(pk__gt=after).order_by("pk")[: A_PAGE + 1])
        more, shown = len(found) > A_PAGE, found[:A_PAGE][::-1]
        return Page(shown, shown[-1].pk if shown else 0, shown[0].pk if more else 0)
    older = entries if before is None else entries.filter(pk__lt=before)
    found = list(older.order_by("-pk")[: A_PAGE + 1])
    shown = found[:A_PAGE]
    is_newest = before is None or not shown or not entries.filter(pk__gt=shown[0].pk).exists()
    return Page(shown, shown[-1].pk if len(found) > A_PAGE else 0, 0 if is_newest else shown[0].pk)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
