"""A catalog: what one agent may discover, and how."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, Self

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from catalog.exposure import Selection
from catalog.models.server import SLUG, Server
from catalog.models.tool import Tool
from catalog.person_kinds import USUAL
from catalog.program_selection import ProgramSelection

if TYPE_CHECKING:
    from catalog.models.policy_rule import PolicyRule
    from catalog.models.version import CatalogVersion

Choice = Literal["everything", "patterns", "picked"]
"""How much of a server a catalog lets in."""
LONGEST_NAME = 300
"""Characters of a pattern, or of a name picked by hand, as in a catalog's YAML."""
EMPTY_FILTER = "A filter that names no tool would let none in: name one, let everything in, or take the server out."


def usual_kinds() -> list[str]:
    return [*USUAL]


class CatalogQuerySet(models.QuerySet["Catalog"]):
    def with_parts(self) -> Self:
        return self.prefetch_related("servers__server", "pre_discovered__tool__server", "excluded__server")


class Catalog(models.Model):
    """`mode` names a discovery mode, `engine` the engine that its searches ask; empty, it is the mode's own.

    `policy` names code of the deployment that is asked who may use which tool, after the policy's rules; pages show what
    both say of a request with the `context_to_try`.
    `ask_person` names the kinds of calls that wait for a person (catalog/person_kinds.py).
    Where it `publishes_itself`, agents get each change with their next request, else what was published last.
    Its `gate` stands where changes reach agents: it asks the judged queries of its suites before one does.
    """

    class Gate(models.TextChoices):
        OFF = "off", "Let every change through"
        WARN = "warn", "Hold changes that make a judged query worse, until a curator says why they go through"
        BLOCK = "block", "Hold changes that make a judged query worse, until an admin says why they go through"

    slug = models.CharField(max_length=40, unique=True, validators=[SLUG])
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    mode = models.CharField(max_length=40, default="mcpagent")
    mode_options = models.JSONField(default=dict, blank=True)
    engine = models.CharField(max_length=40, blank=True)
    engine_settings = models.JSONField(default=dict, blank=True)
    policy = models.CharField(max_length=60, blank=True)
    context_to_try = models.JSONField(default=dict, blank=True)
    ask_person = models.JSONField(default=usual_kinds, blank=True)
    excluded = models.ManyToManyField(Tool, blank=True, related_name="excluded_from")
    publishes_itself = models.BooleanField(default=True)
    gate = models.CharField(max_length=10, choices=Gate.choices, default=Gate.WARN)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = CatalogQuerySet.as_manager()

    if TYPE_CHECKING:
        servers: models.QuerySet["CatalogServer"]
        pre_discovered: models.QuerySet["PreDiscovered"]
        policy_rules: models.QuerySet["PolicyRule"]
        versions: models.QuerySet["CatalogVersion"]

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("catalog", args=[self.slug])

    @property
    def filters_as_program(self) -> bool:
        """Whether its filters are read as mcpagent's program reads them: its mode is that program's, as implemented."""
        return self.mode == "mcpagent" and self.mode_options.get("fidelity") == "implemented"

    def selection(self) -> Selection:
        """The filters of the servers as one selection. A catalog without servers lets nothing in."""
        return self.selection_of(self.servers.all())

    def selection_of(self, rows: "Iterable[CatalogServer]") -> Selection:
        """What these rows, saved or not, would let in."""
        rows = list(rows)
        kind = ProgramSelection if self.filters_as_program else Selection
        return kind(
            servers=tuple(row.server.slug for row in rows if row.everything),
            tools=tuple(f"{row.server.slug}:{glob}" for row in rows if not row.everything for glob in row.patterns),
            picked=frozenset(f"{row.server.slug}/{name}" for row in rows if not row.everything for name in row.picked),
        )


class CatalogServer(models.Model):
    """A server in a catalog with its filter: everything, tools by name pattern (`list_*`), or tools picked by their exact names."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="servers")
    server = models.ForeignKey(Server, models.CASCADE, related_name="in_catalogs")
    position = models.PositiveIntegerField(default=0)
    everything = models.BooleanField(default=True)
    patterns = models.JSONField(default=list, blank=True)
    picked = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["catalog", "server"], name="server_once_in_catalog")]

    def __str__(self) -> str:
        return f"{self.server.slug}: {'everything' if self.everything else ', '.join(self.names)}"

    def clean(self) -> None:
        """Raises ValidationError for an empty list, which a selection would read as no filter, and for a name that is too long."""
        if not self.everything and not self.names:
            raise ValidationError(EMPTY_FILTER)
        if any(len(name) > LONGEST_NAME for name in self.names):
            raise ValidationError(f"A pattern or a name has at most {LONGEST_NAME} characters.")

    @property
    def choice(self) -> "Choice":
        return "everything" if self.everything else "picked" if self.picked else "patterns"

    @property
    def names(self) -> list[str]:
        """The patterns, or the tools that were picked."""
        return [*self.patterns, *self.picked]


class PreDiscovered(models.Model):
    """A tool that a catalog shows from the start."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="pre_discovered")
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        verbose_name_plural = "pre-discovered"
        constraints = [models.UniqueConstraint(fields=["catalog", "tool"], name="pre_discovered_once_in_catalog")]

    def __str__(self) -> str:
        return str(self.tool)
