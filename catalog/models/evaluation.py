"""Evaluations: an engine measured on a suite, with just the queries and judgements that it was measured on."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models.catalog import Catalog
from catalog.models.suite import Suite
from catalog.models.version import CatalogVersion, Kept
from catalog.owners import this_owner


class SuiteContent(Kept):
    """A suite as it stood, by the hash of what it holds; `body` is what `evaluating.entries.body_of` writes."""

    hash = models.CharField(max_length=64, unique=True)
    body = models.JSONField()

    def __str__(self) -> str:
        return self.hash


class Evaluation(models.Model):
    """An engine with its settings over one edition of a catalog, on one state of a suite.

    `version` is None for a draft, whose revision is kept. `begun_with` is the first of those that were begun together, itself
    too. `figures` are by metric, each with `mean`, `low` and `high`. `missing` are tools that the suite names as right and
    the edition does not let be found; `not_run` counts queries that the engine could not run, for which it found nothing.
    `note` is a person's, shown in the history.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Measuring"
        DONE = "done", "Done"
        STOPPED = "stopped", "Stopped"
        FAILED = "failed", "Failed"

    suite = models.ForeignKey(Suite, models.CASCADE, related_name="evaluations")
    suite_revision = models.PositiveIntegerField()
    content = models.ForeignKey(SuiteContent, models.PROTECT, related_name="+")
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="evaluations")
    version = models.ForeignKey(CatalogVersion, models.CASCADE, null=True, blank=True, related_name="+")
    revision = models.CharField(max_length=64, blank=True)
    engine = models.CharField(max_length=40)
    settings = models.JSONField(default=dict, blank=True)
    begun_with = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="together")
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)
    tools = models.PositiveIntegerField(default=0)
    missing = models.JSONField(default=list, blank=True)
    not_run = models.PositiveIntegerField(default=0)
    milliseconds = models.FloatField(default=0)
    figures = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=200, blank=True)
    owner = models.CharField(max_length=36, blank=True, default=this_owner, editable=False)

    if TYPE_CHECKING:
        answers: models.QuerySet["EvaluationAnswer"]
        together: models.QuerySet["Evaluation"]

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"evaluation {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("evaluation", args=[self.pk])

    @property
    def is_moving(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)

    @property
    def asked(self) -> str:
        """The edition as an address of the search page names it."""
        return str(self.version.number) if self.version else "draft"

    @property
    def ndcg(self) -> dict[str, Any] | None:
        """The figure that lists lead with; None before there is one."""
        figure: dict[str, Any] | None = self.figures.get("nDCG@10")
        return figure


class EvaluationAnswer(models.Model):
    """What came back for one query, named as in the content: the tools returned, in order, and the ranks of those that answer."""

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="answers")
    query = models.CharField(max_length=40)
    hits = models.JSONField()
    ranks = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "query"], name="query_once_in_an_evaluation")]

    def __str__(self) -> str:
        return f"query {self.query} of {self.evaluation}"
