"""Asking the lint rules of the rows, and keeping what they find.

Rules that need nothing but a tool itself are asked whenever it changes; all of them when somebody asks for a look. Either way
a tool is compared with every tool here, so that a finding does not depend on how it was asked for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from catalog import lint
from catalog.batches import batched
from catalog.indexing import exposure_of
from catalog.keeping_findings import keep
from catalog.lint.survey import LedHere, NameTaken, Survey
from catalog.models import Catalog, Finding, Look, Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.tools import ToolSpec

ALONE = tuple(slug for slug, rule in lint.RULES.items() if rule.alone)


@dataclass(frozen=True, slots=True)
class Heard:
    """What recorded runs tell: all queries, and those that ended in a call, by server and name of the tool that was called."""

    queries: Sequence[str] = ()
    led: Mapping[tuple[str, str], Sequence[LedHere]] = field(default_factory=dict)


@dataclass
class Sources:
    """What the catalog cannot know by itself; who watches runs says it at the start of the process."""

    heard: Callable[[], Heard] = Heard


sources = Sources()


def look_alone(tools: Iterable[Tool]) -> None:
    """Ask the rules that need nothing but these tools, which have just changed. What other rules found of them is outdated."""
    rows = {tool.pk: tool for tool in tools}
    if not rows:
        return
    survey = Survey([tool.to_spec() for tool in rows.values() if _is_looked_at(tool)])
    with transaction.atomic():
        keep(lint.look(survey, alone=True), rows, ALONE)
        Finding.objects.about(rows).exclude(rule__in=ALONE).update(outdated=True)


def look_again(server: Server, names: Iterable[str]) -> None:
    """`look_alone` at these tools of a server."""
    for batch in batched(names):
        look_alone(server.tools.for_specs().filter(name__in=batch))


def carry_out(look: Look) -> None:
    """Ask every rule, and end the look. What goes wrong is told on it and raised."""
    try:
        rows = {tool.pk: tool.to_spec() for tool in looked_at(look.server, look.catalog)}
        found = list(lint.look(_survey(list(rows.values()))))
        with transaction.atomic():
            keep(found, rows, tuple(lint.RULES))
        look.tools = len(rows)
    except Exception:
        look.problem = "It failed; the log says why."
        raise
    finally:
        look.ended_at = timezone.now()
        look.save(update_fields=["tools", "problem", "ended_at"])


def looked_at(server: Server | None = None, catalog: Catalog | None = None) -> list[Tool]:
    """The tools that are here and switched on: all, a server's, or those that a catalog offers."""
    rows: ToolQuerySet = Tool.objects.here()
    rows = rows.filter(enabled=True, server__enabled=True).for_specs().order_by("server__slug", "name")
    if server is not None:
        rows = rows.filter(server=server)
    if catalog is None:
        return list(rows)
    offered = {tool.key for tool in exposure_of(catalog).pool}
    return [tool for tool in rows.filter(server__in_catalogs__catalog=catalog) if str(tool) in offered]


def names_taken() -> list[NameTaken]:
    """Every tool that a catalog leaves out because another is offered there under its name."""
    found = []
    for catalog in Catalog.objects.all():
        exposure = exposure_of(catalog)
        for out in exposure.left_out:
            by = exposure.pool.by_name.get(out.tool.name)
            if out.rule == "name taken" and by is not None:
                found.append(NameTaken(out.tool.key, by.key, out.tool.name, catalog.slug))
    return found


def _survey(tools: list[ToolSpec]) -> Survey:
    heard = sources.heard()
    among = [tool.to_spec() for tool in looked_at()]
    led = {tool.key: heard.led.get((tool.server, tool.name), ()) for tool in tools}
    return Survey(tools, among, heard.queries, led, names_taken())


def _is_looked_at(tool: Tool) -> bool:
    return tool.gone_at is None and tool.enabled and tool.server.enabled
