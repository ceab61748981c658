"""What people say over a catalog's tools, as its YAML has it where that was asked for, and what taking it would change."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalog.batches import batched
from catalog.bulk_acts import LOWERED
from catalog.bulk_planning import UNREAD, BulkPlan, Planned, tokens_more
from catalog.models import Catalog, Tool

Entry = dict[str, Any]
FIELDS = {
    "description": "own_description",
    "search_text": "search_text",
    "aliases": "aliases",
    "category": "own_category",
    "tags": "own_tags",
    "permission": "own_permission",
    "special_category": "special_category",
    "platforms": "platforms",
    "searchable": "searchable",
    "enabled": "enabled",
}
"""The parts of an entry, in their order, with the fields that they are. One that is left out is as nobody wrote it."""


def overlays_of(catalog: Catalog) -> list[Entry]:
    """Of each tool that the catalog's filters let in and a person said something of, by server and name."""
    selection = catalog.selection()
    rows = Tool.objects.here().filter(server__in_catalogs__catalog=catalog).for_specs()
    found = ((row, _entry(row)) for row in sorted(rows, key=lambda row: (row.server.slug, row.name)))
    edited = ((row.to_spec(), entry) for row, entry in found if len(entry) > 1)
    return [entry for spec, entry in edited if selection.is_exempt(spec) or selection.lets_in(spec)]


def completed_entry(entry: Mapping[str, Any]) -> Entry:
    """As `overlays_of` would write it."""
    untouched = Tool().overlay()
    written = {part: entry[part] for part, field in FIELDS.items() if part in entry and entry[part] != untouched[field]}
    return {"tool": entry["tool"], **written}


def plan_overlays(entries: list[Entry]) -> BulkPlan:
    """What the entries, whose tools are all here, would change of each tool. Those that are not named stay as they are."""
    plan, wanted, untouched = BulkPlan(), {entry["tool"]: entry for entry in entries}, Tool().overlay()
    for row in tools_called(list(wanted)):
        entry = wanted[str(row)]
        said = {field: entry.get(part, untouched[field]) for part, field in FIELDS.items()}
        after = {field: value for field, value in said.items() if getattr(row, field) != value}
        if after:
            plan.changes.append(Planned(row.pk, {field: getattr(row, field) for field in after}, after))
            plan.tokens += tokens_more(row, after)
        else:
            plan.same.append(row.pk)
    return plan


def tools_called(keys: list[str]) -> Iterator[Tool]:
    """The tools of these keys (`server/name`), as far as there are such, by server and name."""
    names: dict[str, list[str]] = {}
    for server, _, name in (key.partition("/") for key in sorted(keys)):
        names.setdefault(server, []).append(name)
    rows = Tool.objects.defer(*UNREAD).prefetch_related("server").order_by("name")
    for server, own in names.items():
        for batch in batched(own):
            yield from rows.filter(server__slug=server, name__in=batch)


def misfits_of_overlays(entries: list[Entry], servers: set[str]) -> Iterator[tuple[int, str]]:
    """The place of each entry that cannot be taken, with why. `servers` are those that the catalog has."""
    rows = {str(row): row for row in tools_called([entry["tool"] for entry in entries])}
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        key = entry["tool"]
        if key not in rows:
            yield place, f"There is no tool {key} here."
        elif key.partition("/")[0] not in servers:
            yield place, f"The server of {key} is not in this catalog."
        elif key in seen:
            yield place, f"{key} is in it already."
        elif _lowers(rows[key], entry.get("permission", "")):
            yield place, f"The permission of {key} is not changed: {LOWERED}."
        seen.add(key)


def _lowers(row: Tool, permission: str) -> bool:
    is_dangerous = "dangerous" in (row.permission, row.own_permission)
    return is_dangerous and permission != row.own_permission and (permission or row.permission) != "dangerous"


def _entry(row: Tool) -> Entry:
    return completed_entry({"tool": str(row), **{part: getattr(row, field) for part, field in FIELDS.items()}})
