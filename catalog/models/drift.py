"""What a source says of a tool now, where that is not what is in force: it waits for a person, or one has decided."""

from typing import Any, Self

from django.contrib.auth.models import User
from django.db import models

from catalog.models.tool import Tool


class DriftQuerySet(models.QuerySet["Drift"]):
    def waiting(self) -> Self:
        """Those that nobody has decided."""
        return self.filter(state=Drift.State.WAITING)


class Drift(models.Model):
    """`upstream` is the whole definition as the source has it, `fields` those that differ, `kinds` what kinds of change.
    `rewrites`: it words anew what a person has written over.

    A tool has at most one that waits. A refused one is kept, so that the same definition is not asked about again.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waits for review"
        ACCEPTED = "accepted", "Accepted"
        REFUSED = "refused", "Refused"
        WITHDRAWN = "withdrawn", "Taken back by the source"

    tool = models.ForeignKey(Tool, models.CASCADE, related_name="drifts")
    upstream = models.JSONField()
    upstream_hash = models.CharField(max_length=64)
    fields = models.JSONField(default=list)
    kinds = models.JSONField(default=list)
    changes_meaning = models.BooleanField()
    rewrites = models.BooleanField(default=False)
    suspicions = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    found_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = DriftQuerySet.as_manager()

    class Meta:
        ordering = ["-changes_meaning", "-found_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tool"], condition=models.Q(state="waiting"), name="one_waiting_drift_of_a_tool"
            )
        ]
        indexes = [models.Index(fields=["state", "changes_meaning"])]

    def __str__(self) -> str:
        return f"{self.tool} {', '.join(self.kinds)}"

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    def changes(self) -> list[tuple[str, Any, Any]]:
        """Each field that differs, with what is in force and what the source says."""
        return [(name, getattr(self.tool, name), self.upstream.get(name)) for name in self.fields]
