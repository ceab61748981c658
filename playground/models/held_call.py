"""A call of a run that waits for a person, and what was decided."""

from django.contrib.auth.models import User
from django.db import models

from catalog.models.encryption import EncryptedJSONField
from playground.models.run import Run


class HeldCall(models.Model):
    """Made with the event `seq` that tells of it. `top` is the run that a person started: the run itself, unless it is nested.

    `decision` is empty while nobody decided, and set once. `said` holds the arguments to send in place of the model's, a
    reason or an answer; the run's record has it without secrets.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="held_calls")
    top = models.ForeignKey(Run, models.CASCADE, related_name="held_below")
    seq = models.PositiveIntegerField()
    call_id = models.TextField()
    tool = models.TextField()
    digest = models.CharField(max_length=64)
    asks = models.CharField(max_length=20)
    held_at = models.DateTimeField()
    decision = models.CharField(max_length=12, blank=True)
    said = EncryptedJSONField(default=dict, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-held_at"]
        indexes = [models.Index(fields=["decision"])]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="held_once_in_run")]

    def __str__(self) -> str:
        return f"{self.tool[:80]}: {self.decision or 'waits'}"
