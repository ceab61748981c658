"""What a version offers now: what it holds, less what is unsafe or not there by now, which acts at once."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Sum

from catalog.exposing import candidate
from catalog.exposure import Exposure, LeftOut, Rule, Selection, refusals
from catalog.models import CatalogVersion, Tool
from catalog.publishing.kept import tools_of
from catalog.tools import ToolPool, ToolSpec

AT_ONCE: tuple[Rule, ...] = ("gone", "server off", "tool off", "suspicious")
"""Rules that leave a tool out of a version that holds it."""


@dataclass(frozen=True, slots=True)
class HeldRows:
    """A version as it was read. `seen` decides which of its `tools` are left out, in figures that are quick to read."""

    content: str
    seen: tuple[Any, ...]
    tools: tuple[ToolSpec, ...]
    exposure: Exposure

    @property
    def revision(self) -> str:
        """Another one where another set of its tools is left out."""
        out = [one.tool.key for one in self.exposure.left_out]
        return hashlib.sha256("\n".join([self.content, *out]).encode()).hexdigest()[:20]


def seen_of_version(version: CatalogVersion) -> tuple[Any, ...]:
    rows = Tool.objects.filter(server__slug__in=_servers(version))
    figures = rows.aggregate(Count("id"), Sum("id"), Max("updated_at"), Max("server__updated_at"))
    return (version.content.hash, *figures.values())


def read_version(version: CatalogVersion, seen: tuple[Any, ...], before: HeldRows | None = None) -> HeldRows:
    """`before` saves reading the definitions again."""
    content = version.content
    tools = before.tools if before and before.content == content.hash else tuple(tools_of(content))
    refused = dict(_refused(tools, _servers(version)))
    pool = ToolPool(
        tuple(tool for tool in tools if tool.key not in refused),
        tuple(tool.name for tool in _upfront(tools, content.upfront) if tool.key not in refused),
    )
    left_out = tuple(LeftOut(tool, *refused[tool.key]) for tool in tools if tool.key in refused)
    return HeldRows(content.hash, seen, tools, Exposure(pool, left_out))


def _upfront(tools: Iterable[ToolSpec], names: Iterable[str]) -> list[ToolSpec]:
    by_name = {tool.name: tool for tool in tools}
    return [by_name[name] for name in names]


def _refused(tools: Iterable[ToolSpec], servers: list[str]) -> Iterator[tuple[str, tuple[Rule, str]]]:
    """The keys of those that may not be used now, with the rule and that rule in words."""
    rows = Tool.objects.filter(server__slug__in=servers)
    usable = rows.here().filter(enabled=True, server__enabled=True)
    suspicious = {str(tool) for tool in usable.suspicious().for_specs() if tool.must_be_looked_at}
    fine = {f"{server}/{name}" for server, name in usable.values_list("server__slug", "name")} - suspicious
    refused = [tool for tool in tools if tool.key not in fine]
    reasons = _reasons({tool.server for tool in refused}) if refused else {}
    for tool in refused:
        yield tool.key, reasons.get(tool.key, ("gone", f"{tool.server} no longer offers it"))


def _reasons(servers: Iterable[str]) -> dict[str, tuple[Rule, str]]:
    """Of the tools of these servers that may not be used, by their keys."""
    found = {}
    for tool in Tool.objects.filter(server__slug__in=servers).for_specs():
        told = (told for told in refusals(candidate(tool, False), Selection()) if told[0] in AT_ONCE)
        if refusal := next(told, None):
            found[str(tool)] = refusal
    return found


def _servers(version: CatalogVersion) -> list[str]:
    return sorted(version.content.settings["server_texts"])
