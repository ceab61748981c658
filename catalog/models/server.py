"""A server: where tools come from, how it is reached, and whether an admin approved exactly that."""

import hashlib
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

from django.apps import apps
from django.contrib.auth.models import User
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Coalesce
from django.urls import reverse

from catalog.invisible import cleaned
from catalog.models.addresses import AddressField
from catalog.models.encryption import EncryptedJSONField

SLUG = RegexValidator(r"\A[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?\Z", "Use 1 to 40 lower-case letters, digits and hyphens.")


if TYPE_CHECKING:
    from catalog.models.api_document import ApiDocument, OperationQuerySet
    from catalog.models.contact import ContactQuerySet, Introduction


class ServerQuerySet(models.QuerySet["Server"]):
    def own(self) -> Self:
        """Those that people connected: neither of the sample nor what agents and skills of the house stand on."""
        return self.filter(kind__in=[Server.Kind.MCP, Server.Kind.FILE, Server.Kind.OPENAPI, Server.Kind.SDK])

    def unapproved(self) -> Self:
        """Those that no admin has approved yet, in the order in which they were added."""
        return self.exclude(transport=Server.Transport.NONE).filter(approved_hash="").order_by("created_at", "pk")

    def with_tool_counts(self) -> Self:
        """Each counted for itself over an index: joined, rows of all tools would be read and grouped by all that a server has."""
        return self.annotate(tools_here=_tools(gone_at=None), tools_gone=_tools(gone_at__isnull=False))


def _tools(**which: Any) -> Coalesce:
    """How many of a server's tools are so."""
    tools = apps.get_model("catalog", "Tool").objects.filter(server=models.OuterRef("pk"), **which).order_by()
    return Coalesce(models.Subquery(tools.values("server").annotate(count=models.Count("pk")).values("count")), 0)


class Server(models.Model):
    """`env`, `headers` and `credentials` are secrets: written by forms, read by connections only, never shown.

    Of an OpenAPI document, `url` is the base address of its operations, `document_url` where the document itself is (empty
    if it was uploaded), and `credentials` holds by security scheme what a `catalog.sources.openapi.security.Scheme` has,
    and its `secret`. `language` is the code of the one that models read its tools in, where a tool has it; empty for the
    one that its source puts first.
    """

    class Kind(models.TextChoices):
        BUILTIN = "builtin", "Built in"
        MCP = "mcp", "MCP server"
        SDK = "sdk", "SDK app"
        FILE = "file", "File"
        SKILLS = "skills", "Skills"
        AGENTS = "agents", "Agents"
        OPENAPI = "openapi", "OpenAPI document"

    class Transport(models.TextChoices):
        NONE = "", "Not reached"
        STDIO = "stdio", "A command on this machine (stdio)"
        HTTP = "http", "An address (streamable HTTP)"
        CALLBACK = "callback", "The callback address of an app that registered"

    class NameRule(models.TextChoices):
        """How models call a tool of the server; those with a word in front are sanqian's (S-3)."""

        PREFIXED = "prefixed", "server__tool"
        AS_IS = "as_is", "tool, as the server names it"
        MCP = "mcp", "mcp_server_tool"
        SDK = "sdk", "sdk_app_tool"

    class SessionScope(models.TextChoices):
        """Only for MCP servers."""

        SHARED = "shared", "One for all runs, kept warm"
        RUN = "run", "One for each run"

    class Interval(models.IntegerChoices):
        """Minutes between two readings that nobody asks for."""

        NEVER = 0, "only when somebody asks"
        QUARTER = 15, "every 15 minutes"
        HOUR = 60, "every hour"
        DAY = 1440, "every day"

    slug = models.CharField(max_length=40, unique=True, validators=[SLUG])
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    transport = models.CharField(max_length=10, choices=Transport.choices, blank=True)
    command = models.CharField(max_length=1000, blank=True)
    args = models.JSONField(default=list, blank=True)
    cwd = models.CharField(max_length=1000, blank=True)
    env = EncryptedJSONField(default=dict, blank=True, editable=False)
    url = AddressField(max_length=1000, blank=True)
    headers = EncryptedJSONField(default=dict, blank=True, editable=False)
    document_url = AddressField(max_length=1000, blank=True)
    credentials = EncryptedJSONField(default=dict, blank=True, editable=False)
    name_rule = models.CharField(max_length=10, choices=NameRule.choices, default=NameRule.PREFIXED)
    language = models.CharField(max_length=20, blank=True)
    session_scope = models.CharField(max_length=10, choices=SessionScope.choices, default=SessionScope.SHARED)
    enabled = models.BooleanField(default=True)
    approved_hash = models.CharField(max_length=64, blank=True, editable=False)
    approved_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, editable=False, related_name="+")
    approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    synced_at = models.DateTimeField(null=True, blank=True, editable=False)
    sync_every = models.PositiveIntegerField(choices=Interval.choices, default=Interval.NEVER)
    holds_rewordings = models.BooleanField(default=False)
    sync_tried_at = models.DateTimeField(null=True, blank=True, editable=False)
    sync_problem = models.TextField(blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ServerQuerySet.as_manager()

    if TYPE_CHECKING:
        document: "ApiDocument"
        operations: "OperationQuerySet"
        contacts: "ContactQuerySet"
        introduction: "Introduction"
        tools_here: int
        tools_gone: int

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("server", args=[self.slug])

    @property
    def config_hash(self) -> str:
        """What an approval is bound to: everything that decides what is started or reached, secrets by name only."""
        config = [self.transport, self.command, self.args, self.cwd, sorted(self.env), self.url, sorted(self.headers)]
        if self.kind == self.Kind.OPENAPI:
            config += [self.document_url, sorted(self.credentials)]
        return hashlib.sha256(json.dumps(config, ensure_ascii=True).encode()).hexdigest()

    @property
    def credential_secrets(self) -> list[str]:
        """The secrets among the credentials; none where their key is gone."""
        return [kept["secret"] for kept in self.credentials.values() if isinstance(kept, dict)]

    @property
    def is_reachable(self) -> bool:
        """Whether it is started, or something is sent to it, and so needs an admin's word; a file and the sample do not."""
        return self.transport != self.Transport.NONE

    @property
    def can_be_asked(self) -> bool:
        """Whether it can be asked for its tools again; a file, an uploaded document, an app and the sample cannot."""
        return bool(self.document_url) if self.kind == self.Kind.OPENAPI else self.speaks_mcp

    @property
    def may_be_read(self) -> bool:
        """Whether it may be asked for its tools without a person: it is on, and an admin approved it as it stands."""
        return self.enabled and self.speaks_mcp and self.is_approved

    @property
    def speaks_mcp(self) -> bool:
        """Whether it is an MCP server: asked for its tools, and called, over a session."""
        return self.kind != self.Kind.OPENAPI and self.transport in (self.Transport.STDIO, self.Transport.HTTP)

    @property
    def is_of_this_house(self) -> bool:
        """Whether people here wrote what its tools say."""
        return self.kind in (self.Kind.BUILTIN, self.Kind.AGENTS)

    @property
    def is_approved(self) -> bool:
        """Whether an admin approved it as it now stands."""
        return self.approved_hash == self.config_hash

    @property
    def approval(self) -> Literal["not needed", "needed", "given", "outdated"]:
        if not self.is_reachable:
            return "not needed"
        if not self.approved_hash:
            return "needed"
        return "given" if self.is_approved else "outdated"

    def approve(self, by: User, at: datetime) -> None:
        self.approved_hash, self.approved_by, self.approved_at = self.config_hash, by, at

    def exposed_name(self, tool: str) -> str:
        """The name under which models call a tool of this server, without the characters that nobody sees."""
        seen = cleaned(tool)
        match self.name_rule:
            case self.NameRule.PREFIXED:
                return f"{self.slug}__{seen}"
            case self.NameRule.MCP | self.NameRule.SDK:
                return f"{self.name_rule}_{self.slug}_{seen}"
        return seen

    @staticmethod
    def readings(name: str) -> list[tuple[str, str]]:
        """What a name under which models call a tool may be made of, by any rule: a short name, and the tool's own."""
        prefix, _, own = name.partition("__")
        _, _, rest = name.partition("_")
        return [(prefix, own), (rest.partition("_")[0], rest.partition("_")[2])]

    @property
    def name_prefix(self) -> str:
        """What stands before a tool's own name."""
        return self.exposed_name("")
