"""Evaluations end to end: tasks tried in several modes, several times, each trial a run."""

import uuid
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models import Catalog, CatalogVersion
from catalog.owners import this_owner
from playground.models.chat_model import ChatModel
from playground.models.run import Run


class TaskEvaluation(models.Model):
    """`tasks` are as `evaluating.tasks.body_of` writes them, `modes` slugs, empty for the catalog's own, which `own_mode` names.

    `version` is None for a draft, which each run takes as it is then. `cap` is in dollars, for all trials and the runs nested
    in them; None where nobody set one. `context` is what the catalog's policy is told of the requests.
    `owner` names the process that plays the trials.
    """

    class State(models.TextChoices):
        RUNNING = "running", "Under way"
        DONE = "done", "Done"
        STOPPED = "stopped", "Stopped"
        CAPPED = "capped", "Stopped at its cap"
        INTERRUPTED = "interrupted", "Interrupted"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tasks = models.JSONField()
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="task_evaluations")
    version = models.ForeignKey(CatalogVersion, models.CASCADE, null=True, blank=True, related_name="+")
    modes = models.JSONField()
    own_mode = models.CharField(max_length=40)
    chat_model = models.ForeignKey(ChatModel, models.SET_NULL, null=True, related_name="+")
    context = models.JSONField(default=dict, blank=True)
    repeats = models.PositiveSmallIntegerField(default=1)
    cap = models.FloatField(null=True, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.RUNNING)
    owner = models.CharField(max_length=36, blank=True, default=this_owner, editable=False)

    if TYPE_CHECKING:
        trials: models.QuerySet["TaskTrial"]

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{len(self.tasks)} tasks on {self.catalog}"

    def get_absolute_url(self) -> str:
        return reverse("task_evaluation", args=[self.pk])

    @property
    def is_moving(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def edition(self) -> str:
        """As runs ask for it."""
        return str(self.version.number) if self.version else "draft"


class TaskTrial(models.Model):
    """One task in one mode, once: its run, and how that ended. `task` and `repeat` count from 1.

    `success` is None while it is not measured: it was not begun, is under way, or was stopped, interrupted or kept from going on
    by the cap. `lost` are dollars of runs before `run` that did not count. The figures outlive the run.
    """

    evaluation = models.ForeignKey(TaskEvaluation, models.CASCADE, related_name="trials")
    task = models.PositiveSmallIntegerField()
    mode = models.CharField(max_length=40, blank=True)
    repeat = models.PositiveSmallIntegerField()
    run = models.OneToOneField(Run, models.SET_NULL, null=True, blank=True, related_name="trial")
    success = models.BooleanField(null=True, blank=True)
    status = models.CharField(max_length=12, blank=True)
    met = models.PositiveSmallIntegerField(default=0)
    extra = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cost = models.FloatField(null=True, blank=True)
    seconds = models.FloatField(default=0)
    lost = models.FloatField(default=0)

    class Meta:
        ordering = ["repeat", "task", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "task", "mode", "repeat"], name="trial_once_in_an_evaluation")
        ]

    def __str__(self) -> str:
        return f"task {self.task}, trial {self.repeat}, {self.mode or 'the catalog’s mode'}"
