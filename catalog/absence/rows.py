"""A tool that a reader asks for, what of it the rows say, and edits carried out on rows, which can be undone."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.absence.offering import Offering, denied_phases
from catalog.absence.steps import Step, with_clause, with_words
from catalog.auditing.facts import differing
from catalog.auditing.recording import Act, record
from catalog.editing import save_overlay
from catalog.exposing import candidate, candidates_of, pre_discovered_keys
from catalog.exposure import Candidate
from catalog.models import Catalog, CatalogServer, PolicyRule, Server, Tool
from catalog.models.tool import ToolQuerySet
from catalog.policy_editing import add_first, put_back, state_of
from catalog.policy_rows import policy_to_try
from catalog.shaping import exclude, include, place_server
from catalog.switching import switch_server


class ChangedSince(Exception):
    """What an edit had changed was changed again: undoing it would lose that."""


def tool_called(name: str, catalog: Catalog) -> Tool | None:
    """The tool that models call so, one of the catalog's first; or the one with this key (`server/name`)."""
    tools = Tool.objects.select_related("server")
    found = [tool for tool in _named(name, tools) if tool.exposed_name == name]
    inside = set(catalog.servers.values_list("server_id", flat=True))
    found.sort(key=lambda tool: (tool.server_id not in inside, tool.pk))
    if found:
        return found[0]
    server, _, own = name.partition("/")
    return tools.filter(server__slug=server, name=own).first()


def _named(name: str, tools: ToolQuerySet) -> list[Tool]:
    """The tools whose own name is this one, or what follows a server's prefix in it."""
    prefixed = (tools.filter(server__slug=slug, name=own) for slug, own in Server.readings(name))
    return [*tools.filter(name=name), *(tool for found in prefixed for tool in found)]


def candidate_of(tool: Tool, catalog: Catalog) -> Candidate:
    return candidate(tool, catalog.excluded.filter(pk=tool.pk).exists())


def offering_of(catalog: Catalog, tool: Tool) -> Offering:
    """The catalog as values; the tool is at the end of it where its server is not in the catalog."""
    candidates = [*candidates_of(catalog).values()]
    if not catalog.servers.filter(server=tool.server_id).exists():
        candidates.append(candidate_of(tool, catalog))
    return Offering(tuple(candidates), catalog.selection(), tuple(pre_discovered_keys(catalog)), policy_to_try(catalog))


@dataclass(frozen=True, slots=True)
class Undo:
    """What an edit may have changed, as it was before and after, in JSON."""

    catalog: int
    tool: int
    before: dict[str, Any]
    after: dict[str, Any]


def carry_out(steps: list[Step], catalog: Catalog, tool: Tool, by: User) -> Undo:
    """Take the steps for the tool, all or none."""
    with transaction.atomic():
        before = _state(catalog, tool)
        overlay = tool.overlay()
        for step in steps:
            _take(step, catalog, tool)
        if tool.overlay() != overlay:
            save_overlay(tool, by)
        after = _state(catalog, tool)
        _tell(Act.TOOL_BROUGHT_IN, catalog, tool, before, after, by)
        return Undo(catalog.pk, tool.pk, before, after)


def undo(edit: Undo, by: User) -> Tool:
    """Put back what an edit changed. Raises ChangedSince, and DoesNotExist if catalog or tool are no more."""
    with transaction.atomic():
        catalog, tool = Catalog.objects.get(pk=edit.catalog), Tool.objects.select_related("server").get(pk=edit.tool)
        if _state(catalog, tool) != edit.after:
            raise ChangedSince(f"{tool.exposed_name} was changed again since")
        _put_back(edit.before, catalog, tool, by)
        _tell(Act.BRINGING_IN_UNDONE, catalog, tool, edit.after, edit.before, by)
        return tool


def _tell(act: Act, catalog: Catalog, tool: Tool, before: dict[str, Any], after: dict[str, Any], by: User) -> None:
    old, new = differing(before | before["overlay"], after | after["overlay"])
    record(act, tool, old, {"catalog": catalog.slug, **new}, by)


def _take(step: Step, catalog: Catalog, tool: Tool) -> None:
    match step.kind:
        case "let in":
            _let_in(catalog, tool)
        case "server on":
            switch_server(tool.server, True)
        case "tool on":
            tool.enabled = True
        case "include":
            include(catalog, tool)
        case "platform":
            tool.platforms = [*tool.platforms, policy_to_try(catalog).platform]
        case "let past":
            phases = denied_phases(policy_to_try(catalog), tool.to_spec())
            rule = PolicyRule(catalog=catalog, allow=True, pattern=tool.exposed_name, phases=list(phases))
            add_first(rule)
        case "searchable":
            tool.searchable = True
        case "search text":
            tool.search_text = with_words(tool.search_text, step.text)
        case "alias":
            tool.aliases = [*tool.aliases, step.text]
        case "description":
            tool.own_description = with_clause(tool.effective_description, step.text)


def _let_in(catalog: Catalog, tool: Tool) -> None:
    """Into the filter of its server, which stays as wide as it is."""
    row = catalog.servers.filter(server=tool.server_id).first()
    if row is None or not row.everything:
        names = dict.fromkeys([*(row.names if row else []), tool.name])
        place_server(catalog, tool.server, row.choice if row else "patterns", list(names))


def _state(catalog: Catalog, tool: Tool) -> dict[str, Any]:
    row = CatalogServer.objects.filter(catalog=catalog, server=tool.server_id).first()
    return {
        "overlay": tool.overlay(),
        "server on": tool.server.enabled,
        "excluded": catalog.excluded.filter(pk=tool.pk).exists(),
        "filter": {"choice": row.choice, "names": row.names} if row else None,
        "policy": state_of(catalog),
    }


def _put_back(before: dict[str, Any], catalog: Catalog, tool: Tool, by: User) -> None:
    if before["overlay"] != tool.overlay():
        for name, value in before["overlay"].items():
            setattr(tool, name, value)
        save_overlay(tool, by)
    if tool.server.enabled != before["server on"]:
        switch_server(tool.server, before["server on"])
    (exclude if before["excluded"] else include)(catalog, tool)
    put_back(catalog, before["policy"], state_of(catalog))
    row = before["filter"]
    place_server(catalog, tool.server, row["choice"] if row else "none", row["names"] if row else [])
