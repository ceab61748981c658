"""Changes of a source that wait for a person: held, accepted, refused, or taken back by the source itself."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, audited, record
from catalog.batches import BATCH, batched, write_fields
from catalog.editing import save_overlay
from catalog.linting import look_alone
from catalog.meaning import EDITED, ChangeKind, changes_meaning, new_suspicions
from catalog.models import Drift, Server, Tool
from catalog.models.drift import DriftQuerySet
from catalog.models.tool import UPSTREAM_FIELDS
from catalog.planning import differing_fields, kinds_of, upstream_hash
from catalog.suspicion.scanning import scan
from catalog.versions import keep_versions

Definition = Mapping[str, Any]
"""What a source says of a tool: the upstream fields."""


class AlreadyDecidedError(Exception):
    """Somebody decided it meanwhile, or the source took it back."""


def put_in_force(server: Server, definitions: Mapping[str, Definition], by: User | None) -> None:
    """Have tools, by name, be as their definitions say, and keep that as versions."""
    for names in batched(definitions):
        define({row: definitions[row.name] for row in server.tools.filter(name__in=names)}, by)


def define(definitions: Mapping[Tool, Definition], by: User | None) -> None:
    """Have rows be as these say, and keep that as versions."""
    rows, now = list(definitions), timezone.now()
    for row in rows:
        _define(row, definitions[row])
        row.updated_at = now
    write_fields(rows, [*UPSTREAM_FIELDS, "upstream_hash", "suspicions", "suspicions_seen_at", "updated_at"])
    keep_versions(rows, by)


def hold(server: Server, definitions: Mapping[str, Definition], kinds: Mapping[str, tuple[ChangeKind, ...]]) -> None:
    """Keep definitions, by name, for review; each takes the place of what waited of its tool."""
    rows = [row for names in batched(definitions) for row in server.tools.filter(name__in=names)]
    end_drifts(Drift.objects.waiting().filter(tool__in=rows), Drift.State.WITHDRAWN, None)
    drifts = [_drift(row, definitions[row.name], kinds[row.name]) for row in rows]
    Drift.objects.bulk_create(drifts, batch_size=BATCH)


def withdraw(server: Server, names: Iterable[str]) -> None:
    """What waited of these tools is no longer what the source says."""
    for batch in batched(names):
        end_drifts(
            Drift.objects.waiting().filter(tool__server=server, tool__name__in=batch), Drift.State.WITHDRAWN, None
        )


def accept(drift: Drift, by: User, own_description: str | None) -> None:
    """Have what the source says be in force, with a person's description over it, or none.

    Raises AlreadyDecidedError.
    """
    with transaction.atomic():
        tool = _decide(drift, Drift.State.ACCEPTED, by)
        with audited(Act.DRIFT_ACCEPTED, tool, by):
            _put_through(tool, drift.upstream, own_description, by)


def _put_through(tool: Tool, upstream: Definition, own_description: str | None, by: User) -> None:
    _define(tool, upstream)
    if own_description == tool.own_description:
        tool.save()
        look_alone([tool])
    else:
        tool.own_description = own_description
        save_overlay(tool, by)
    keep_versions([tool], by)


def refuse(drift: Drift, by: User) -> None:
    """Keep what is in force; the same definition is not asked about again. Raises AlreadyDecidedError."""
    with transaction.atomic():
        tool = _decide(drift, Drift.State.REFUSED, by)
        kept = {name: getattr(tool, name) for name in drift.fields}
        refused = {f"refused {name}": drift.upstream.get(name) for name in drift.fields}
        record(Act.DRIFT_REFUSED, tool, kept, refused, by)


def restore_definition(tool: Tool, content: Definition, by: User) -> None:
    """Have an earlier definition of the source be in force again; what the source says now waits for review."""
    with transaction.atomic():
        now = tool.upstream()
        put_in_force(tool.server, {tool.name: {**now, **content}}, by)
        tool.refresh_from_db()
        look_alone([tool])
        if not tool.drifts.waiting().exists() and differing_fields(tool, now):
            hold(tool.server, {tool.name: now}, {tool.name: kinds_of(tool, now)})


def _decide(drift: Drift, state: Drift.State, by: User) -> Tool:
    """The tool, locked, once this person is the one who decides."""
    tool = Tool.objects.select_for_update(of=("self",)).select_related("server").get(pk=drift.tool_id)
    if not end_drifts(Drift.objects.waiting().filter(pk=drift.pk), state, by):
        raise AlreadyDecidedError
    return tool


def end_drifts(drifts: DriftQuerySet, state: Drift.State, by: User | None) -> int:
    """Decide those that wait; how many."""
    ended: int = drifts.update(state=state, decided_at=timezone.now(), decided_by=by)
    return ended


def _define(tool: Tool, definition: Definition) -> None:
    """What a person has looked at stays looked at, unless the new definition holds something suspicious that is new."""
    if new_suspicions({**tool.upstream(), "name": tool.name}, {**definition, "name": tool.name}):
        tool.suspicions_seen_at = None
    names = [found for found in tool.suspicions if found["kind"] == "borrowed name"]
    for name in UPSTREAM_FIELDS:
        setattr(tool, name, definition[name])
    tool.suspicions = [*names, *(asdict(found) for found in scan({**tool.upstream(), "name": tool.name}))]
    tool.upstream_hash = upstream_hash(tool.upstream())


def _drift(tool: Tool, definition: Definition, kinds: tuple[ChangeKind, ...]) -> Drift:
    return Drift(
        tool=tool,
        upstream=dict(definition),
        upstream_hash=upstream_hash(dict(definition)),
        fields=list(differing_fields(tool, dict(definition))),
        kinds=list(kinds),
        changes_meaning=changes_meaning(kinds),
        rewrites=EDITED in kinds,
        suspicions=[asdict(found) for found in new_suspicions(tool.upstream(), definition)],
    )
