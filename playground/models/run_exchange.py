"""What a run sent to its model's provider, and what came back."""

from django.db import models

from playground.models.run import Run


class RunExchange(models.Model):
    """One request of a run and its answer, clean of secrets; `number` counts from 1, several may be of one turn.

    `same` and `sent` are the request as what differs from the one before (playground/runs/exchange_deltas.py); `sent` is
    None where it was too large to keep. `received` are the frames of the answer, the pieces of each text joined.
    Sizes are bytes as they were on the wire. `address` is empty and `status` 0 where nothing went out.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="exchanges")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    at = models.DateTimeField()
    seconds = models.FloatField()
    address = models.CharField(max_length=500, blank=True)
    status = models.PositiveIntegerField(default=0)
    same = models.JSONField(default=dict, blank=True)
    sent = models.JSONField(null=True, blank=True)
    received = models.JSONField(default=list, blank=True)
    sent_size = models.PositiveIntegerField(default=0)
    received_size = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["run", "number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="exchange_number_unique_in_run")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.number}"
