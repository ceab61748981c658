"""A word that people put on runs, to find them again."""

from django.db import models

from playground.models.run import Run

LONGEST_TAG = 40
KEEP = "keep"
"""Runs with this tag are never deleted for their age."""


class RunTag(models.Model):
    """One tag of one run. `name` is in lower case, without a comma and without what cannot be seen."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="tags")
    name = models.CharField(max_length=LONGEST_TAG)

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["name"])]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="tag_once_on_a_run")]

    def __str__(self) -> str:
        return self.name
