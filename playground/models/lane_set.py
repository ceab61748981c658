"""One task under several modes, catalogs, versions or models: runs that were started together, to be seen side by side."""

import uuid
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

if TYPE_CHECKING:
    from playground.models.run import RunQuerySet


class LaneSet(models.Model):
    """`lanes` counts those that were started; their runs bear the place of theirs, from 1, and may have been deleted since.

    `cap` is in dollars, for the runs of all lanes and those nested in them; None where nobody set one.
    `expected` holds the calls that make a lane a success, in the form of runs/expectation.py; empty where none are.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.TextField()
    lanes = models.PositiveSmallIntegerField()
    cap = models.FloatField(null=True, blank=True)
    expected = models.TextField(blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        runs: "RunQuerySet"

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.task[:80]

    def get_absolute_url(self) -> str:
        return reverse("lane_set", args=[self.pk])
