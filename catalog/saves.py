"""Who saved a row, and when, as the audit has it: a save that came too late names the other."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Model, QuerySet

from catalog.auditing.kinds import KINDS, subject_of
from catalog.models import AuditEntry

TOLD = 3
"""Saves that are told at most."""


@dataclass(frozen=True, slots=True)
class Save:
    """`by` is a name; empty where nobody was signed in."""

    by: str
    at: datetime


def last_entry(row: Model) -> int:
    """The number of the newest entry about the row; 0 before the first."""
    return _entries(row).values_list("pk", flat=True).first() or 0


def saves_since(row: Model, entry: int) -> list[Save]:
    """What was done to the row after that entry, the newest first."""
    return [Save(one.who, one.at) for one in _entries(row).filter(pk__gt=entry)[:TOLD]]


def _entries(row: Model) -> QuerySet[AuditEntry]:
    """None where the audit tells nothing of rows of its kind."""
    if row._meta.label not in KINDS:
        return AuditEntry.objects.none()
    subject = subject_of(row)
    return AuditEntry.objects.filter(kind=subject.kind, key=subject.key).order_by("-pk")
