"""A tool of a server: what upstream says, what a curator says over it, and every version of both."""

import json
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.models import User
from django.db import models
from django.db.models.functions import Cast, Replace, StrIndex
from django.db.models.lookups import GreaterThan
from django.urls import reverse

from catalog.invisible import cleaned, cleaned_json
from catalog.models.server import Server
from catalog.sharing import shared, shared_json
from catalog.suspicion.finding import HIDDEN
from catalog.suspicion.names import skeleton
from catalog.tools import ToolSpec

if TYPE_CHECKING:
    from catalog.models.drift import DriftQuerySet

PERMISSIONS = [(kind, kind) for kind in ("read", "write", "execute", "network", "dangerous")]
UPSTREAM_FIELDS = (
    "title",
    "description",
    "parameters",
    "output_schema",
    "annotations",
    "localised",
    "category",
    "tags",
    "permission",
    "simulated_result",
    "files",
    "call_plan",
)
"""What a source says of a tool."""
OVERLAY_FIELDS = (
    "own_description",
    "own_category",
    "own_tags",
    "own_permission",
    "search_text",
    "aliases",
    "searchable",
    "enabled",
    "special_category",
    "platforms",
)
"""What a person says over it."""


class SkeletonField(models.CharField[str, str]):
    """What a hasty reader sees of the row's name, kept with every row that is written."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        seen = skeleton(model_instance.name)[: self.max_length]  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, seen)
        return seen


def to_be_looked_at() -> models.Q:
    """As `Tool.must_be_looked_at`, asked of the database. A quote inside a text is escaped in JSON, so that none can pass for a kind."""
    graver = Replace(Cast("suspicions", models.TextField()), models.Value(f'"kind": "{HIDDEN}"'))
    house = [Server.Kind.BUILTIN, Server.Kind.AGENTS]
    is_grave = models.Q(GreaterThan(StrIndex(graver, models.Value('"kind": "')), 0))
    return models.Q(suspicions_seen_at=None) & is_grave & ~models.Q(server__kind__in=house)


def _written_in(texts: str, word: str) -> models.Q:
    """Lists are kept as JSON, in which letters beyond ASCII may be written as their numbers."""
    ways = {word, json.dumps(word)[1:-1]}
    return reduce(or_, (models.Q(**{f"{texts}__icontains": way}) for way in ways))


class ToolQuerySet(models.QuerySet["Tool"]):
    def here(self) -> Self:
        """Those that their server offered when it was last asked."""
        return self.filter(gone_at=None)

    def for_specs(self) -> Self:
        """With what `to_spec` reads and no more; each server is loaded once, as its secrets take time to decrypt."""
        unread = ("output_schema", "annotations", "simulated_result", "files", "call_plan")
        return self.defer(*unread).prefetch_related("server")

    def edited(self) -> Self:
        """Those of which a model reads something else than the source says."""
        own = models.Q(own_description__isnull=False) | ~models.Q(own_category="") | ~models.Q(own_permission="")
        return self.filter(own | models.Q(own_tags__isnull=False))

    def suspicious(self) -> Self:
        """Those that no model may see before a person has looked at them."""
        return self.filter(to_be_looked_at())

    def drifted(self) -> Self:
        """Those of which the source says something that waits for review."""
        return self.filter(drifts__state="waiting")

    def matching(self, text: str) -> Self:
        """Those whose name, title, description or curated words contain every word of `text`."""
        words = text.split()
        found = self.alias(listed_aliases=Cast("aliases", models.TextField())) if words else self
        for word in words:
            found = found.filter(
                models.Q(name__icontains=word)
                | models.Q(title__icontains=word)
                | models.Q(description__icontains=word)
                | models.Q(own_description__icontains=word)
                | models.Q(search_text__icontains=word)
                | _written_in("listed_aliases", word)
            )
        return found

    def named_like(self, words: Iterable[str]) -> Self:
        """Those whose name contains at least one of the words."""
        return self.filter(reduce(or_, (models.Q(name__icontains=word) for word in words), models.Q(pk__in=())))


class Tool(models.Model):
    """`own_…` fields are the overlay: None, or empty, where the source's word stands. `files`: a skill's texts by path.

    `edited_at`: when a person last did. `last_used_at`: when a recorded run last found or called it, as of the run's end.
    `looks_like`: what names that are the same to the eye have in common. `tokens`: what it costs in a prompt, kept for
    sorting, right while `tokens_counted_at` is not before `updated_at`.
    """

    class Capability(models.TextChoices):
        TOOL = "tool", "Tool"
        SKILL = "skill", "Skill"
        AGENT = "agent", "Agent"

    server = models.ForeignKey(Server, models.CASCADE, related_name="tools")
    name = models.CharField(max_length=200)
    looks_like = SkeletonField(max_length=200, default="", editable=False, db_index=True)
    capability = models.CharField(max_length=10, choices=Capability.choices, default=Capability.TOOL)

    title = models.TextField(blank=True)
    description = models.TextField(blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    output_schema = models.JSONField(default=dict, blank=True)
    annotations = models.JSONField(default=dict, blank=True)
    localised = models.JSONField(default=dict, blank=True)
    category = models.TextField(blank=True)
    tags = models.JSONField(default=list, blank=True)
    permission = models.CharField(max_length=10, choices=PERMISSIONS, blank=True)
    simulated_result = models.JSONField(null=True, blank=True)
    files = models.JSONField(default=dict, blank=True, editable=False)
    call_plan = models.JSONField(default=dict, blank=True)
    upstream_hash = models.CharField(max_length=64, editable=False)
    suspicions = models.JSONField(default=list, editable=False)
    suspicions_seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    own_description = models.TextField(null=True, blank=True)
    own_category = models.CharField(max_length=100, blank=True)
    own_tags = models.JSONField(null=True, blank=True)
    own_permission = models.CharField(max_length=10, choices=PERMISSIONS, blank=True)
    search_text = models.TextField(blank=True)
    aliases = models.JSONField(default=list, blank=True)
    searchable = models.BooleanField(default=True)
    enabled = models.BooleanField(default=True)
    special_category = models.CharField(max_length=100, blank=True)
    platforms = models.JSONField(default=list, blank=True)

    first_seen_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()
    gone_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)
    edited_at = models.DateTimeField(null=True, blank=True, editable=False, db_index=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    tokens = models.PositiveIntegerField(null=True, blank=True, editable=False, db_index=True)
    tokens_counted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ToolQuerySet.as_manager()

    if TYPE_CHECKING:
        versions: models.QuerySet["ToolVersion"]
        drifts: "DriftQuerySet"

    class Meta:
        ordering = ["server__slug", "name"]
        constraints = [models.UniqueConstraint(fields=["server", "name"], name="tool_name_unique_in_server")]
        indexes = [
            models.Index(fields=["server", "updated_at"]),
            models.Index(fields=["server", "gone_at"]),
            models.Index(fields=["updated_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.server.slug}/{self.name}"

    def get_absolute_url(self) -> str:
        return reverse("tool", args=[self.server.slug, self.name])

    @property
    def is_edited(self) -> bool:
        """Whether what the model reads differs from what the source says."""
        return (
            self.own_description is not None
            or self.own_tags is not None
            or bool(self.own_category or self.own_permission)
        )

    @property
    def effective_title(self) -> str:
        """In the language of the server, where the source has it."""
        return str(self._spoken.get("title") or self.title)

    @property
    def effective_description(self) -> str:
        """A person's word, else the source's in the language of the server, else what the source puts first."""
        if self.own_description is not None:
            return self.own_description
        return str(self._spoken.get("description") or self.description)

    @property
    def _spoken(self) -> dict[str, str]:
        return self.localised.get(self.server.language, {}) if self.localised else {}

    @property
    def other_languages(self) -> str:
        """The texts that are searched and no model is told, one a line or more."""
        if not self.localised:
            return ""
        told = {self.effective_title, self.effective_description}
        texts = [text for both in self.localised.values() for text in both.values()]
        first = [self.title, self.description] if self.own_description is None else [self.title]
        return "\n".join(text for text in dict.fromkeys([*first, *texts]) if text and text not in told)

    @property
    def effective_category(self) -> str:
        return self.special_category or self.own_category or self.category

    @property
    def effective_tags(self) -> list[str]:
        return list(self.tags if self.own_tags is None else self.own_tags)

    @property
    def effective_permission(self) -> str:
        return self.own_permission or self.permission

    @property
    def must_be_looked_at(self) -> bool:
        """Whether no model may see it before a person has."""
        grave = any(found["kind"] != HIDDEN for found in self.suspicions)
        return grave and self.suspicions_seen_at is None and not self.server.is_of_this_house

    @property
    def exposed_name(self) -> str:
        return self.server.exposed_name(self.name)

    def upstream(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in UPSTREAM_FIELDS}

    def overlay(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OVERLAY_FIELDS}

    def to_spec(self) -> ToolSpec:
        """The tool as catalogs offer it, without the characters that nobody sees. Its server must be loaded."""
        return ToolSpec(
            name=self.exposed_name,
            description=cleaned(self.effective_description),
            parameters=shared_json(cleaned_json(self.parameters)),
            server=self.server.slug,
            upstream_name=self.name,
            title=cleaned(self.effective_title),
            server_text=shared(cleaned(f"{self.server.title} {self.server.description}".strip())),
            category=shared(cleaned(self.effective_category)),
            tags=tuple(shared(cleaned(tag)) for tag in self.effective_tags),
            aliases=tuple(map(cleaned, self.aliases)),
            search_text=cleaned(self.search_text),
            other_languages=cleaned(self.other_languages),
            permission=self.effective_permission or None,  # type: ignore[arg-type]
            capability=self.capability,  # type: ignore[arg-type]
            searchable=self.searchable,
            platforms=tuple(self.platforms),
        )


class ToolVersion(models.Model):
    """What a source said, or a person wrote, of a tool at one time. Never changed afterwards."""

    class Layer(models.TextChoices):
        UPSTREAM = "upstream", "Source"
        OVERLAY = "overlay", "Edit"

    tool = models.ForeignKey(Tool, models.CASCADE, related_name="versions")
    layer = models.CharField(max_length=10, choices=Layer.choices)
    content = models.JSONField()
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.tool} {self.layer} {self.at:%Y-%m-%d %H:%M}"
