"""Asking the lint rules of the rows, and keeping what they find.

Rules that need nothing but a tool itself are asked whenever it changes; all of them when somebody asks for a look. Either way
a tool is compared with every tool here, so that a finding does not depend on how it was asked for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from catalog import background, lint
from catalog.batches import BATCH, batched
from catalog.indexing import exposure_of
from catalog.keeping_findings import keep
from catalog.kept_specs import spec_of
from catalog.leftovers import PROCESS_ENDED
from catalog.lint.finding import Finding as Told
from catalog.lint.survey import LedHere, NameTaken, Survey
from catalog.models import Catalog, Finding, Look, Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.progress import begin, end
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
        among = looked_at()
        rows = _asked_of(look, among)
        found = _found(look, _survey(list(rows.values()), list(among.values())))
        del among
        with transaction.atomic():
            for rule in lint.RULES:
                keep(found.pop(rule), rows, (rule,))
        look.tools = len(rows)
    except background.StoppedError:
        look.problem = PROCESS_ENDED
        raise
    except Exception:
        look.problem = "It failed; the log says why."
        raise
    finally:
        end(look)
        look.ended_at = timezone.now()
        look.save(update_fields=["tools", "problem", "ended_at"])


def looked_at() -> dict[int, ToolSpec]:
    """The tools that are here and switched on, by the keys of their rows."""
    rows: ToolQuerySet = Tool.objects.here()
    rows = rows.filter(enabled=True, server__enabled=True).for_specs().order_by("server__slug", "name")
    servers, found = Server.objects.in_bulk(), dict[int, ToolSpec]()
    for tool in rows.prefetch_related(None).iterator(chunk_size=BATCH):
        tool.server = servers[tool.server_id]
        found[tool.pk] = spec_of(tool)
    return found


def _asked_of(look: Look, among: dict[int, ToolSpec]) -> dict[int, ToolSpec]:
    """Of the tools here, all, those of a server, or those that a catalog offers."""
    if look.server is not None:
        among = {pk: tool for pk, tool in among.items() if tool.server == look.server.slug}
    if look.catalog is None:
        return among
    offered = {tool.key for tool in exposure_of(look.catalog).pool}
    return {pk: tool for pk, tool in among.items() if tool.key in offered}


def _found(look: Look, survey: Survey) -> dict[str, list[Told]]:
    """What the rules say, each after the other."""
    found: dict[str, list[Told]] = {}
    tell = begin(look, "rules asked", len(lint.RULES))
    for done, (slug, rule) in enumerate(lint.RULES.items(), start=1):
        background.go_on()
        found[slug] = list(rule.look(survey))
        tell(done)
    return found


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


def _survey(tools: list[ToolSpec], among: list[ToolSpec]) -> Survey:
    heard = sources.heard()
    led = {tool.key: heard.led.get((tool.server, tool.name), ()) for tool in tools}
    return Survey(tools, among, heard.queries, led, names_taken())


def _is_looked_at(tool: Tool) -> bool:
    return tool.gone_at is None and tool.enabled and tool.server.enabled
