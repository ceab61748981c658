"""Threads, runs, and the append-only events that a run is."""

import uuid
from typing import TYPE_CHECKING, Self

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models import Catalog
from playground.models.chat_model import ChatModel


class Thread(models.Model):
    """A conversation: one run for each message that a person sent."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        runs: models.QuerySet["Run"]

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title


class RunQuerySet(models.QuerySet["Run"]):
    def unfinished(self) -> Self:
        return self.filter(status__in=[Run.Status.WAITING, Run.Status.RUNNING])


class Run(models.Model):
    """`owner` names the process that executes it. What happened is in its events; `status` tells lists about it.

    `context` is what the catalog's policy is told of the request: texts, numbers and booleans by name.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        COMPLETED = "completed", "Completed"
        STOPPED = "stopped", "Stopped"
        FAILED = "failed", "Failed"
        LIMIT = "limit", "Stopped at a limit"
        INTERRUPTED = "interrupted", "Interrupted"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="runs")
    catalog = models.ForeignKey(Catalog, models.SET_NULL, null=True, related_name="runs")
    chat_model = models.ForeignKey(ChatModel, models.SET_NULL, null=True, related_name="runs")
    task = models.TextField()
    context = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.WAITING)
    owner = models.CharField(max_length=64, blank=True)
    stop_requested = models.BooleanField(default=False)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    if TYPE_CHECKING:
        events: models.QuerySet["RunEvent"]

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["status"]), models.Index(fields=["-created_at"])]

    def __str__(self) -> str:
        return self.task[:80]

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.pk])

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.RUNNING)


class RunEvent(models.Model):
    """One event of a run; `seq` counts from 1 without a gap. Only ever added."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=30)
    at = models.DateTimeField()
    body = models.JSONField()

    class Meta:
        ordering = ["run", "seq"]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="event_seq_unique_in_run")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.seq} {self.kind}"
