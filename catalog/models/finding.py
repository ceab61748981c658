"""What a lint rule said of a tool, kept until the rule no longer says it."""

from collections.abc import Iterable
from typing import Self

from django.contrib.auth.models import User
from django.db import models

from catalog.models.catalog import Catalog
from catalog.models.server import Server
from catalog.models.tool import Tool
from catalog.owners import this_owner


class FindingQuerySet(models.QuerySet["Finding"]):
    def here(self) -> Self:
        """Those of tools that are here and switched on, their servers too."""
        ours = self.filter(tool__gone_at=None, tool__enabled=True, tool__server__enabled=True)
        theirs = models.Q(other__gone_at=None, other__enabled=True, other__server__enabled=True)
        return ours.filter(models.Q(other=None) | theirs)

    def open(self) -> Self:
        """Those that nobody has set aside."""
        return self.filter(state=Finding.State.OPEN)

    def about(self, tools: Iterable[int]) -> Self:
        """Those that speak of one of the tools, by key of their rows."""
        keys = list(tools)
        return self.filter(models.Q(tool__in=keys) | models.Q(other__in=keys))

    def of_server(self, server: Server) -> Self:
        return self.filter(models.Q(tool__server=server) | models.Q(other__server=server))


class Finding(models.Model):
    """`rule` is a slug of `catalog.lint.RULES`; `facts` are pairs of a label and a text. See `catalog.lint.finding`.

    Set aside, it stays so until `rests_on` changes. `outdated`: a tool that it speaks of was edited since it was found, and the
    rule has not looked again.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        ASIDE = "aside", "Set aside"

    rule = models.CharField(max_length=40)
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="findings")
    other = models.ForeignKey(Tool, models.CASCADE, null=True, blank=True, related_name="findings_as_other")
    where = models.TextField()
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    sentence = models.TextField()
    advice = models.TextField()
    facts = models.JSONField(default=list)
    only_here = models.JSONField(default=list)
    only_there = models.JSONField(default=list)
    rests_on = models.CharField(max_length=64)
    outdated = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    set_aside_at = models.DateTimeField(null=True, blank=True)
    found_at = models.DateTimeField(auto_now_add=True)

    objects = FindingQuerySet.as_manager()

    class Meta:
        ordering = ["tool__server__slug", "tool__name", "rule", "id"]
        constraints = [
            models.UniqueConstraint(fields=["rule", "tool", "other"], name="finding_once_of_two_tools"),
            models.UniqueConstraint(
                fields=["rule", "tool"], condition=models.Q(other=None), name="finding_once_of_a_tool"
            ),
        ]
        indexes = [models.Index(fields=["state", "rule"])]

    def __str__(self) -> str:
        return f"{self.tool}: {self.rule}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class Look(models.Model):
    """One time that every rule was asked, of all tools or of those of a server or a catalog. `ended_at` is empty while it goes on,
    and `owner` the process that does it."""

    server = models.ForeignKey(Server, models.CASCADE, null=True, blank=True, related_name="looks")
    catalog = models.ForeignKey(Catalog, models.CASCADE, null=True, blank=True, related_name="looks")
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    tools = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    began_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=36, blank=True, default=this_owner, editable=False)

    class Meta:
        ordering = ["-began_at", "-id"]

    def __str__(self) -> str:
        return f"{self.of} {self.began_at:%Y-%m-%d %H:%M}"

    @property
    def of(self) -> str:
        """What was looked at, in words."""
        return str(self.server or self.catalog or "all tools")
