"""Importing tools into a server: read, plan, show, apply. Until it is applied, nothing of the server changes.

Applying is one transaction: it happens whole or not at all.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.models import Import, Server, Tool, ToolVersion
from catalog.models.tool import UPSTREAM_FIELDS
from catalog.sources.listing import ListedTool, Listing

BATCH = 500
"""Rows written, or names asked for, at once."""


class ImportRefused(Exception):
    """The import cannot be applied as it stands; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What applying would do, by tool names. `changed` names the fields that differ."""

    added: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    gone: tuple[str, ...]
    back: tuple[str, ...]
    unchanged: int

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.gone or self.back)

    @property
    def sentence(self) -> str:
        parts = [("added", self.added), ("changed", self.changed), ("gone", self.gone), ("back", self.back)]
        told = [f"{len(names):,} {word}" for word, names in parts if names]
        return ", ".join([*told, f"{self.unchanged:,} unchanged"])

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Plan":
        """The plan as an Import row keeps it."""
        return cls(
            added=tuple(stored.get("added", ())),
            changed={name: tuple(fields) for name, fields in stored.get("changed", {}).items()},
            gone=tuple(stored.get("gone", ())),
            back=tuple(stored.get("back", ())),
            unchanged=stored.get("unchanged", 0),
        )


def batched(names: Iterable[str]) -> Iterator[list[str]]:
    """The names in batches, since a database takes only so many values in one question."""
    remaining = iter(names)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def upstream_hash(upstream: dict[str, Any]) -> str:
    """One digest over all that a source says of a tool; the order of keys does not count."""
    return hashlib.sha256(json.dumps(upstream, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def plan_import(server: Server, tools: Iterable[ListedTool]) -> Plan:
    """Compare a listing with the rows of the server, which may be yet to be made. Nothing is written."""
    existing = {tool.name: tool for tool in server.tools.all()} if server.pk else {}
    listed = {tool.name: _upstream(tool) for tool in tools}
    here = {name for name, tool in existing.items() if tool.gone_at is None}
    known = {name: existing[name] for name in listed if name in existing}
    changed = {name: fields for name, tool in known.items() if (fields := _differences(tool, listed[name]))}
    back = tuple(name for name in known if name not in here)
    return Plan(
        added=tuple(name for name in listed if name not in existing),
        changed=changed,
        gone=tuple(sorted(here - listed.keys())),
        back=back,
        unchanged=sum(1 for name in known if name not in changed and name in here),
    )


def stage(importation: Import, listing: Listing) -> None:
    """Keep what was read and the plan for it on the import, ready to be shown."""
    plan = plan_import(importation.server, listing.tools)
    importation.staged = [asdict(tool) for tool in listing.tools]
    importation.problems = [asdict(problem) for problem in listing.problems]
    importation.plan = asdict(plan)
    importation.total = len(listing.tools)
    importation.state = Import.State.PLANNED
    importation.save()


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One tool of a plan, as the preview shows it: what happens to it, and each field before and after."""

    verdict: str
    name: str
    tool: ListedTool | None = None
    changes: tuple[tuple[str, Any, Any], ...] = ()


def preview(importation: Import, plan: Plan) -> list[PreviewRow]:
    """The rows of a plan that is yet to be applied, changed ones first; unchanged tools are not shown."""
    if importation.state != Import.State.PLANNED:
        return []
    listed = {tool.name: tool for tool in staged_tools(importation)}
    rows = {row.name: row for names in batched(plan.changed) for row in importation.server.tools.filter(name__in=names)}
    changed = [
        PreviewRow("changed", name, listed[name], _changes(rows[name], listed[name], fields))
        for name, fields in plan.changed.items()
        if name in rows
    ]
    others = [("added", plan.added), ("back", plan.back), ("gone", plan.gone)]
    return changed + [PreviewRow(word, name, listed.get(name)) for word, names in others for name in names]


def fail(importation: Import, reason: str) -> None:
    importation.state, importation.error, importation.ended_at = Import.State.FAILED, reason, timezone.now()
    importation.save(update_fields=["state", "error", "ended_at"])


def staged_tools(importation: Import) -> list[ListedTool]:
    return [ListedTool(**fields) for fields in importation.staged]


def claim(importation: Import) -> None:
    """Take a planned import for applying; of two who try, one gets it. Raises ImportRefused."""
    planned = Import.objects.filter(pk=importation.pk, state=Import.State.PLANNED)
    if not planned.update(state=Import.State.APPLYING, done=0):
        raise ImportRefused("This import was applied or discarded already. Start a new one.")
    importation.refresh_from_db()


def apply(importation: Import, by: User | None) -> Plan:
    """Write a claimed import in one transaction: the tools, a version of each that changed, what is gone.

    Raises ImportRefused if the server's tools changed since the plan was shown.
    """
    tools = staged_tools(importation)
    with transaction.atomic():
        server = Server.objects.select_for_update().get(pk=importation.server_id)
        plan = plan_import(server, tools)
        if asdict(plan) != asdict(Plan.of(importation.plan)):
            raise ImportRefused("The server's tools changed since this plan was made. Start the import again.")
        _write(server, tools, plan, by)
        server.synced_at, server.sync_problem = timezone.now(), ""
        server.save(update_fields=["synced_at", "sync_problem", "updated_at"])
        importation.state, importation.ended_at, importation.staged = Import.State.APPLIED, timezone.now(), []
        importation.save(update_fields=["state", "ended_at", "staged"])
    return plan


def import_listing(server: Server, listing: Listing, by: User | None = None) -> Plan:
    """Plan and apply in one go, for the command line and the sample."""
    with transaction.atomic():
        plan = plan_import(server, listing.tools)
        _write(server, listing.tools, plan, by)
        server.synced_at, server.sync_problem = timezone.now(), ""
        server.save(update_fields=["synced_at", "sync_problem", "updated_at"])
    return plan


def _write(server: Server, tools: Sequence[ListedTool], plan: Plan, by: User | None) -> None:
    now = timezone.now()
    added = set(plan.added)
    _add(server, [tool for tool in tools if tool.name in added], by)
    touched = plan.changed.keys() | set(plan.back)
    _change(server, {tool.name: tool for tool in tools if tool.name in touched}, by)
    for names in batched(plan.gone):
        server.tools.filter(name__in=names).update(gone_at=now, updated_at=now)
    server.tools.here().update(last_seen_at=now)


def _add(server: Server, tools: Sequence[ListedTool], by: User | None) -> None:
    now = timezone.now()
    rows = [_new_row(server, tool, now) for tool in tools]
    Tool.objects.bulk_create(rows, batch_size=BATCH)
    _keep_versions(rows, by)


def _new_row(server: Server, tool: ListedTool, now: datetime) -> Tool:
    upstream = _upstream(tool)
    return Tool(
        server=server,
        name=tool.name,
        **upstream,
        upstream_hash=upstream_hash(upstream),
        search_text=tool.search_text,
        aliases=list(tool.aliases),
        last_seen_at=now,
    )


def _change(server: Server, tools: dict[str, ListedTool], by: User | None) -> None:
    now = timezone.now()
    rows = [row for names in batched(tools) for row in server.tools.filter(name__in=names)]
    for row in rows:
        upstream = _upstream(tools[row.name])
        for name, value in upstream.items():
            setattr(row, name, value)
        row.upstream_hash, row.gone_at, row.updated_at = upstream_hash(upstream), None, now
    Tool.objects.bulk_update(rows, [*UPSTREAM_FIELDS, "upstream_hash", "gone_at", "updated_at"], batch_size=50)
    _keep_versions(rows, by)


def _keep_versions(rows: Sequence[Tool], by: User | None) -> None:
    versions = [ToolVersion(tool=row, layer=ToolVersion.Layer.UPSTREAM, content=row.upstream(), by=by) for row in rows]
    ToolVersion.objects.bulk_create(versions, batch_size=BATCH)


def _upstream(tool: ListedTool) -> dict[str, Any]:
    fields = asdict(tool)
    upstream = {name: fields[name] for name in UPSTREAM_FIELDS}
    return upstream | {
        "tags": list(tool.tags),
        "permission": tool.permission or "",
        "output_schema": tool.output_schema or {},
    }


def _changes(row: Tool, tool: ListedTool, fields: Sequence[str]) -> tuple[tuple[str, Any, Any], ...]:
    upstream = _upstream(tool)
    return tuple((name, getattr(row, name), upstream[name]) for name in fields)


def _differences(row: Tool, upstream: dict[str, Any]) -> tuple[str, ...]:
    if row.upstream_hash == upstream_hash(upstream):
        return ()
    return tuple(name for name in UPSTREAM_FIELDS if getattr(row, name) != upstream[name])
