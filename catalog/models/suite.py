"""Suites: queries whose right tools people have judged."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models.catalog import Catalog


class Suite(models.Model):
    """Queries as agents or people ask them. `catalog` is the one whose tools answer them, None where that was deleted.

    `revision` counts its changes, so that what was measured on it can say on which queries.
    """

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    catalog = models.ForeignKey(Catalog, models.SET_NULL, null=True, blank=True, related_name="suites")
    revision = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        queries: models.QuerySet["SuiteQuery"]

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("suite", args=[self.slug])


class SuiteQuery(models.Model):
    """A query of a suite. `origin` says where it came from, in words; `tags` are texts in lower case, sorted.

    `suggested` are tools, as `server/name`, that were called after the query: nobody's judgement.
    """

    suite = models.ForeignKey(Suite, models.CASCADE, related_name="queries")
    text = models.TextField()
    tags = models.JSONField(default=list, blank=True)
    origin = models.CharField(max_length=200, blank=True)
    suggested = models.JSONField(default=list, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        judgements: models.QuerySet["Judgement"]

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "suite queries"
        constraints = [models.UniqueConstraint(fields=["suite", "text"], name="query_once_in_a_suite")]

    def __str__(self) -> str:
        return self.text[:80]

    def get_absolute_url(self) -> str:
        return reverse("suite_query", args=[self.suite.slug, self.pk])


class Judgement(models.Model):
    """What one person says of one tool for one query. The newest of several people counts.

    `server` and `tool` are the server's slug and the tool's name there: a tool may go and come back.
    `need` tells what a query needs apart, from 1: of the right tools with the same number any one does.
    With NO_TOOL both names are empty: no tool that is here answers the query.
    """

    class Verdict(models.TextChoices):
        RIGHT = "right", "Right"
        FINE = "fine", "Also fine"
        WRONG = "wrong", "Wrong"
        NO_TOOL = "no tool", "No such tool"

    query = models.ForeignKey(SuiteQuery, models.CASCADE, related_name="judgements")
    server = models.CharField(max_length=40, blank=True)
    tool = models.CharField(max_length=200, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    need = models.PositiveSmallIntegerField(default=1)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["query", "at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["query", "server", "tool", "by"], name="judged_once_by_a_person"),
            models.UniqueConstraint(
                fields=["query", "server", "tool"], condition=models.Q(by=None), name="judged_once_by_no_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key or 'no tool'} is {self.get_verdict_display().lower()} for {self.query}"

    @property
    def key(self) -> str:
        """The tool as `server/name`; empty where none is meant."""
        return f"{self.server}/{self.tool}" if self.tool else ""
