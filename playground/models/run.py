"""Threads, runs, and the append-only events that a run is."""

import uuid
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models import Agent, Catalog, CatalogVersion
from playground.models.chat_model import ChatModel
from playground.models.lane_set import LaneSet

if TYPE_CHECKING:
    from playground.models.held_call import HeldCall
    from playground.models.run_exchange import RunExchange
    from playground.models.run_note import RunNote
    from playground.models.run_review import RunFinding, RunReview, RunSearch
    from playground.models.run_tag import RunTag
    from playground.models.shared_run import SharedRun


class Thread(models.Model):
    """A conversation: one run for each message that a person sent, in a line.

    A forked one begins with what was said in `forked_from` and before it, up to its event `forked_at`, that one left out.
    There the result of `edited_call`, if one is named, is `edited_result`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    forked_from = models.ForeignKey("Run", models.RESTRICT, null=True, blank=True, related_name="forks")
    forked_at = models.PositiveIntegerField(null=True, blank=True)
    edited_call = models.TextField(blank=True)
    edited_result = models.TextField(blank=True)

    if TYPE_CHECKING:
        runs: models.QuerySet["Run"]

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("thread", args=[self.pk])


class RunQuerySet(models.QuerySet["Run"]):
    def unfinished(self) -> Self:
        return self.filter(status__in=[Run.Status.WAITING, Run.Status.RUNNING])

    def top_level(self) -> Self:
        """Those that a person started, without the runs nested in them."""
        return self.filter(parent=None)

    def own(self) -> Self:
        """Those that were executed here: what others cost was spent elsewhere."""
        return self.filter(imported_from="")

    def in_mode(self, slug: str) -> Self:
        """Those whose own mode it is, or where they name none that of their catalog, as it was in their version."""
        of_version = models.Q(mode="", version__content__settings__mode__name=slug)
        return self.filter(models.Q(mode=slug) | of_version | models.Q(mode="", version=None, catalog__mode=slug))


class Run(models.Model):
    """`owner` names the process that executes it. What happened is in its events; `status` tells lists about it.

    `context` is what the catalog's policy is told of the request: texts, numbers and booleans by name.
    `position` counts the runs of the thread from 1. Without a `task` it goes on from where the conversation stood.
    `mode` and `mode_options` are its own; without a mode they are the catalog's.
    `edition` is what was asked for of its catalog: "published", "draft" or a number. `version` is what that came to,
    None for a draft, in a run that never began, and in those of releases before versions.
    `ask_person` names kinds of calls that wait for a person beside those of its catalog, `ask_less` those of the catalog's
    that do not, as a curator said.
    `limits` holds numbers by the names of RunLimits; what is not named is as the settings have it.
    A nested run has a `parent`, in which the call `parent_call` asked for the agent that it runs; each has a thread of its own.
    An imported one names the kind of log that it is from (playground/foreign/formats.py) and its `origin`: the file, and what
    tells it from others there. Nothing of it was executed or spent here.
    One that was started beside others is the `lane` of that number, from 1, of its `lane_set`.
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
    edition = models.CharField(max_length=12, default="published")
    version = models.ForeignKey(CatalogVersion, models.SET_NULL, null=True, blank=True, related_name="+")
    position = models.PositiveIntegerField(default=1)
    mode = models.CharField(max_length=40, blank=True)
    mode_options = models.JSONField(default=dict, blank=True)
    context = models.JSONField(default=dict, blank=True)
    task = models.TextField(blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.WAITING)
    limits = models.JSONField(default=dict, blank=True)
    ask_person = models.JSONField(default=list, blank=True)
    ask_less = models.JSONField(default=list, blank=True)
    owner = models.CharField(max_length=64, blank=True)
    stop_requested = models.BooleanField(default=False)
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="nested")
    parent_call = models.CharField(max_length=200, blank=True)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="runs")
    imported_from = models.CharField(max_length=40, blank=True)
    origin = models.CharField(max_length=300, blank=True)
    lane_set = models.ForeignKey(LaneSet, models.SET_NULL, null=True, blank=True, related_name="runs")
    lane = models.PositiveSmallIntegerField(null=True, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    if TYPE_CHECKING:
        events: models.QuerySet["RunEvent"]
        exchanges: models.QuerySet["RunExchange"]
        findings: models.QuerySet["RunFinding"]
        forks: models.QuerySet[Thread]
        nested: models.QuerySet["Run"]
        held_calls: models.QuerySet["HeldCall"]
        notes: models.QuerySet["RunNote"]
        shares: models.QuerySet["SharedRun"]
        review: "RunReview"
        searches: models.QuerySet["RunSearch"]
        tags: models.QuerySet["RunTag"]

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["status"]), models.Index(fields=["-created_at"])]
        constraints = [
            models.UniqueConstraint(fields=["thread", "position"], name="run_position_unique_in_thread"),
            models.UniqueConstraint(fields=["lane_set", "lane"], name="run_lane_unique_in_set"),
        ]

    def __str__(self) -> str:
        return self.title[:80]

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.pk])

    @property
    def title(self) -> str:
        return self.task or (
            "What was asked is not in the log" if self.imported_from else "Went on without a new message"
        )

    @property
    def is_untimed(self) -> bool:
        """Whether the log that it was imported from does not tell when it was."""
        return bool(self.imported_from) and self.ended_at is None

    @property
    def mode_named(self) -> str:
        """The slug of its mode; empty where neither it nor a catalog names one."""
        return self.mode or (self._of_catalog[0] if self.catalog else "")

    @property
    def options_named(self) -> dict[str, Any]:
        """The options of its mode, as they are kept."""
        options: dict[str, Any] = self.mode_options if self.mode or not self.catalog else self._of_catalog[1]
        return options

    @property
    def _of_catalog(self) -> tuple[str, dict[str, Any]]:
        """The mode and options of its version, or else of its catalog."""
        if self.version:
            mode = self.version.content.settings["mode"]
            return mode["name"], mode["options"]
        return (self.catalog.mode, self.catalog.mode_options) if self.catalog else ("", {})

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
