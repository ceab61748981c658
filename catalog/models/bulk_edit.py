"""One edit of many tools: planned, shown, applied, undone."""

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse


class BulkEdit(models.Model):
    """`tool_ids` are the tools it was asked for, in the order of the list; `act` and `value` what to do with each.

    `plan` tells what applying would do, `outcome` what applying and undoing did: see `bulk_planning.py` and
    `bulk_applying.py`. `owner` is the process that works on it while it moves, `problem`
    why it was last broken off. `query` is the address of the list that it was begun from.
    """

    class State(models.TextChoices):
        PLANNED = "planned", "Ready to apply"
        APPLYING = "applying", "Applying"
        APPLIED = "applied", "Applied"
        UNDOING = "undoing", "Undoing"
        UNDONE = "undone", "Undone"
        FAILED = "failed", "Failed"

    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    act = models.CharField(max_length=40)
    value = models.TextField(blank=True)
    query = models.CharField(max_length=2000, blank=True)
    tool_ids = models.JSONField(default=list)
    plan = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=36, blank=True, editable=False)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.act} {self.value}".strip()

    def get_absolute_url(self) -> str:
        return reverse("bulk_edit", args=[self.pk])

    @property
    def is_moving(self) -> bool:
        return self.state in (self.State.APPLYING, self.State.UNDOING)
