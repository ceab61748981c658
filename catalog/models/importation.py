"""An import on its way: read, planned, shown, applied or discarded."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models.server import Server
from catalog.owners import this_owner


class Import(models.Model):
    """`plan` is what applying would do, `suspicions` what is suspicious in tools that are new or changed, by name,
    `problems` what was refused and why, `read_as` in which forms its tools were defined. `owner` is the process that works
    on it while it moves.

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
    plan = models.JSONField(default=dict)
    suspicions = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=36, blank=True, default=this_owner, editable=False)

    if TYPE_CHECKING:
        staged_tools: models.QuerySet["StagedTool"]

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.server} {self.get_state_display().lower()}"

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.server.slug, self.pk])

    @property
    def is_moving(self) -> bool:
        return self.state in (self.State.READING, self.State.APPLYING)


class StagedTool(models.Model):
    """A tool as an import has read it, kept until the import is applied or discarded. `content`: the fields of a ListedTool."""

    importation = models.ForeignKey(Import, models.CASCADE, related_name="staged_tools")
    name = models.CharField(max_length=200)
    content = models.JSONField()

    class Meta:
        indexes = [models.Index(fields=["importation", "name"])]

    def __str__(self) -> str:
        return self.name
