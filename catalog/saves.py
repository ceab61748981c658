"""Who saved a row, and when: pages and the admin note it in one place, so that a save that came too late can name the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet


@dataclass(frozen=True, slots=True)
class Save:
    by: User | None
    at: datetime


TOLD = 3
"""People who are named at most."""


def note_save(row: Model, by: User, fields: Sequence[str]) -> None:
    """That a person saved the row by a form of a page; `fields` are the labels of what they changed."""
    said = f"Saved {', '.join(fields)}." if fields else "Saved as it was."
    LogEntry.objects.log_actions(by.pk, [row], CHANGE, said, single_object=True)


def number_of_saves(row: Model) -> int:
    """A number that grows with each save of the row; 0 before the first."""
    return _saves(row).values_list("pk", flat=True).first() or 0


def saves_since(row: Model, number: int) -> list[Save]:
    """The newest saves after that number, newest first."""
    entries = _saves(row).filter(pk__gt=number).select_related("user")[:TOLD]
    return [Save(entry.user, entry.action_time) for entry in entries]


def _saves(row: Model) -> QuerySet[LogEntry]:
    of_row = LogEntry.objects.filter(content_type=get_content_type_for_model(row), object_id=str(row.pk))
    return of_row.order_by("-pk")
