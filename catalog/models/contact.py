"""How it went each time that an MCP server was reached, and what it said of itself."""

from datetime import timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from catalog.models.server import Server

GIVEN_UP = timedelta(seconds=90)
"""A test that has told nothing for so long was left behind by a process that ended."""


class ContactQuerySet(models.QuerySet["Contact"]):
    def ended(self) -> Self:
        return self.filter(seconds__isnull=False)

    def under_way(self) -> Self:
        return self.filter(seconds=None, at__gt=timezone.now() - GIVEN_UP)


class Contact(models.Model):
    """`seconds` is how long it took, a call without the time to start or connect; None while a test is under way.

    `problem` is why there was no answer, empty if there was one; `verdict` is what a test found.
    """

    class Kind(models.TextChoices):
        READ = "read", "reading its tools"
        CALL = "call", "a call"
        TEST = "test", "a test"

    server = models.ForeignKey(Server, models.CASCADE, related_name="contacts")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField(auto_now_add=True)
    seconds = models.FloatField(null=True)
    problem = models.TextField(blank=True)
    verdict = models.TextField(blank=True)

    objects = ContactQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["server", "kind"])]

    def __str__(self) -> str:
        return f"{self.server} {self.kind} {self.at:%Y-%m-%d %H:%M}"


class Introduction(models.Model):
    """What a server said of itself when it was last read or tested. A stranger's words."""

    server = models.OneToOneField(Server, models.CASCADE, related_name="introduction")
    name = models.CharField(max_length=200, blank=True)
    version = models.CharField(max_length=100, blank=True)
    protocol = models.CharField(max_length=100, blank=True)
    instructions = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()
