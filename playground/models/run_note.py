"""What a presenter says at a moment of a run."""

from django.db import models

from playground.models.run import Run


class RunNote(models.Model):
    """A note on the step that stands when the event `seq` has been told; plain text."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="notes")
    seq = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["run", "seq"]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="note_once_at_a_moment")]

    def __str__(self) -> str:
        return self.text[:80]
