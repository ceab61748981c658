"""An import on its way: read, planned, shown, applied or discarded."""

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models.server import Server


class Import(models.Model):
    """`staged` holds the tools as read, `plan` what applying would do, `suspicions` what is suspicious
    in tools that are new or changed, by name, `problems` what was refused and why, `read_as` in which forms its tools were defined.

    Nothing of a server changes before it is applied.
    """

    class State(models.TextChoices):
        READING = "reading", "Reading"
        CHOOSING = "choosing", "Operations to be chosen"
        PLANNED = "planned", "Ready to apply"
        APPLYING = "applying", "Applying"
        APPLIED = "applied", "Applied"
        FAILED = "failed", "Failed"
        DISCARDED = "discarded", "Discarded"

    server = models.ForeignKey(Server, models.CASCADE, related_name="imports")
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    source = models.CharField(max_length=300, blank=True)
    read_as = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.READING)
    step = models.CharField(max_length=200, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    staged = models.JSONField(default=list)
    plan = models.JSONField(default=dict)
    suspicions = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.server} {self.get_state_display().lower()}"

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.server.slug, self.pk])

    @property
    def is_moving(self) -> bool:
        return self.state in (self.State.READING, self.State.APPLYING)
