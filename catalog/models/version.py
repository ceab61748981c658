"""Published versions of a catalog, which never change, and what they hold, kept once however many hold it."""

from typing import Any, NoReturn

from django.contrib.auth.models import User
from django.db import models
from django.urls import reverse

from catalog.models.catalog import Catalog


class ImmutableError(TypeError):
    """A published version was to be changed: publish another one instead."""


class KeptQuerySet(models.QuerySet[Any]):
    """Rows that are added and read. With the catalog its versions go, by way of the foreign key."""

    def update(self, **changes: Any) -> NoReturn:
        raise ImmutableError("Published versions are never changed.")

    def delete(self) -> NoReturn:
        raise ImmutableError("Published versions are never deleted while their catalog is there.")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise ImmutableError("Published versions are never changed.")


class Kept(models.Model):
    """A row that is written once."""

    objects = KeptQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Raises ImmutableError where the row is there already."""
        if not self._state.adding:
            raise ImmutableError("Published versions are never changed.")
        super().save(*args, **{**options, "force_insert": True})

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise ImmutableError("Published versions are never deleted while their catalog is there.")


class ToolDefinition(Kept):
    """A tool as a version offers it, by the hash of its JSON text (`publishing.content.definition_of`)."""

    hash = models.CharField(max_length=64, unique=True)
    body = models.TextField()

    def __str__(self) -> str:
        return self.hash


class VersionContent(Kept):
    """What a version holds. `tools` are the numbers of its definitions in the order of the pool, packed (`keeping`).

    Figures are of the tools alone; tokens are estimates of what each turn pays for those in view from the start, or for all.
    """

    hash = models.CharField(max_length=64, unique=True)
    settings = models.JSONField()
    tools = models.BinaryField()
    upfront = models.JSONField()
    tool_count = models.PositiveIntegerField()
    upfront_tokens = models.PositiveIntegerField()
    all_tokens = models.PositiveIntegerField()

    def __str__(self) -> str:
        return self.hash


class CatalogVersion(Kept):
    """A version of a catalog; its latest is the one in force. `restores` is the number of the one that it publishes again.

    Without `by`, the catalog published itself.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    content = models.ForeignKey(VersionContent, models.PROTECT, related_name="+")
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    note = models.CharField(max_length=300, blank=True)
    restores = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["catalog", "number"], name="version_number_once_in_catalog")]

    def __str__(self) -> str:
        return f"version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("catalog_version", args=[self.catalog.slug, self.number])
