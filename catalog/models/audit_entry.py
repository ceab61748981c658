"""The audit: who did what, on which row, and what was before and after. Entries are added, and never changed."""

import json
from datetime import UTC
from typing import Any, Never, Self

from django.db import models

from catalog.auditing.acts import Act
from catalog.auditing.chain import Link, Said


class AuditIsAppendOnlyError(TypeError):
    """An audit entry is neither changed nor deleted; the database refuses it too."""


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    def sealed(self) -> Self:
        """Those that have their place in the chain, in its order."""
        return self.exclude(number=None).order_by("number")

    def update(self, **_: object) -> Never:
        raise AuditIsAppendOnlyError

    def delete(self) -> Never:
        raise AuditIsAppendOnlyError

    def bulk_update(self, *_: object, **__: object) -> Never:
        raise AuditIsAppendOnlyError


class AuditEntry(models.Model):
    """`who` stays when the person is deleted. `kind`, `key` and `name` say which row; an act on none has at most a name.

    `before` and `after` are JSON texts of what differs, secrets by name only. `way` says through what it came, and
    `way_title` which command or access token that was.
    `act` is one of `Act`.
    `number`, `previous` and `hash` are its place in the chain, which it is given once, just after the transaction that
    wrote it (`auditing/sealing.py`). `pruned_to`: entries up to that number may be deleted.
    No row refers to it nor it to any, so that it outlives them all. A migration that makes the table anew must put its triggers back.
    """

    class Way(models.TextChoices):
        PAGE = "page", "a page"
        ADMIN = "admin", "the admin"
        COMMAND = "command", "the command"
        TOKEN = "token", "the access token"
        ITSELF = "itself", "Pegboard itself"

    at = models.DateTimeField()
    act = models.CharField(max_length=30)
    who_id = models.BigIntegerField(null=True)
    who = models.CharField(max_length=150, blank=True)
    kind = models.CharField(max_length=30, blank=True)
    key = models.CharField(max_length=400, blank=True)
    name = models.CharField(max_length=300, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    way = models.CharField(max_length=10, choices=Way.choices)
    way_title = models.CharField(max_length=80, blank=True)
    request = models.CharField(max_length=32, blank=True)
    address = models.CharField(max_length=64, blank=True)
    pruned_to = models.BigIntegerField(null=True)
    number = models.BigIntegerField(null=True, unique=True)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, blank=True)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["kind", "key", "-id"], name="audit_of_a_row"),
            models.Index(fields=["who", "-id"], name="audit_of_a_person"),
            models.Index(fields=["at"], name="audit_at"),
        ]

    def __str__(self) -> str:
        return f"{self.who} {Act(self.act).label} {self.name}".strip()

    def save(self, **kwargs: Any) -> None:
        """Raises AuditIsAppendOnlyError of an entry that is there already."""
        if not self._state.adding:
            raise AuditIsAppendOnlyError
        super().save(**kwargs)

    def delete(self, *_: object, **__: object) -> Never:
        raise AuditIsAppendOnlyError

    @property
    def said(self) -> Said:
        """All of it but its place in the chain."""
        about = (self.act, self.who_id, self.who, self.kind, self.key, self.name, self.before, self.after)
        return (
            self.at.astimezone(UTC).isoformat(timespec="microseconds"),
            *about,
            *(self.way, self.way_title, self.request, self.address, self.pruned_to),
        )

    def to_link(self) -> Link:
        """Of one that is sealed."""
        return Link(self.number or 0, self.said, self.previous, self.hash)

    @property
    def changes(self) -> list[tuple[str, Any, Any]]:
        """Each fact that differs, with its value before and after; what was not there is None."""
        before, after = (json.loads(text) if text else {} for text in (self.before, self.after))
        return [(name, before.get(name), after.get(name)) for name in {**before, **after}]
