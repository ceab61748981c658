"""What an OpenAPI document of a server offers, and which of its operations were chosen to be tools."""

from typing import Any, Self

from django.db import models

from catalog.models.server import Server


class ApiDocument(models.Model):
    """The document as it was last read. `schemes` are values of `catalog.sources.openapi.security.Scheme` as JSON,
    `addresses` where it says that the API is served, `problems` what of it could not be taken as it stood."""

    server = models.OneToOneField(Server, models.CASCADE, related_name="document")
    source = models.CharField(max_length=300, blank=True)
    title = models.CharField(max_length=200, blank=True)
    version = models.CharField(max_length=200, blank=True)
    addresses = models.JSONField(default=list)
    schemes = models.JSONField(default=list)
    problems = models.JSONField(default=list)
    etag = models.CharField(max_length=200, blank=True)
    last_modified = models.CharField(max_length=200, blank=True)
    takes_new = models.BooleanField(default=False)
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.title or self.server.title} {self.version}".strip()


class OperationQuerySet(models.QuerySet["Operation"]):
    def matching(self, text: str) -> Self:
        """Those whose name, path, title or description contain every word of `text`."""
        found = self
        for word in text.split():
            found = found.filter(
                models.Q(name__icontains=word)
                | models.Q(path__icontains=word)
                | models.Q(title__icontains=word)
                | models.Q(description__icontains=word)
            )
        return found

    def tagged(self, tag: str) -> Self:
        return self.filter(tag_words__contains=tag_word(tag)) if tag else self

    def tokens(self) -> int:
        total: int | None = self.aggregate(total=models.Sum("tokens"))["total"]
        return total or 0


class Operation(models.Model):
    """An operation that a document offers. `tool` is a ListedTool as JSON, `tokens` an estimate of what it costs a prompt."""

    server = models.ForeignKey(Server, models.CASCADE, related_name="operations")
    position = models.PositiveIntegerField()
    method = models.CharField(max_length=10)
    path = models.TextField()
    name = models.CharField(max_length=200)
    title = models.TextField(blank=True)
    description = models.TextField(blank=True)
    tag_words = models.TextField(blank=True)
    is_deprecated = models.BooleanField(default=False)
    tokens = models.PositiveIntegerField()
    tool = models.JSONField()
    is_chosen = models.BooleanField(default=False)
    is_new = models.BooleanField(default=False)

    objects = OperationQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["server", "method", "path"], name="operation_unique_in_server"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def tags(self) -> list[str]:
        return [tag for tag in self.tag_words.split("\n") if tag]


def tag_word(tag: str) -> str:
    """A tag as `tag_words` holds it: on a line of its own."""
    return f"\n{tag}\n"


def tag_words(tags: list[str] | Any) -> str:
    lines = [" ".join(str(tag).split()) for tag in tags]
    return "\n" + "\n".join(lines) + "\n" if lines else ""
