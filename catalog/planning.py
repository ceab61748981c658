"""What importing a listing would do to a server's tools: compared, told and shown, with nothing written."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from catalog.batches import batched
from catalog.meaning import EDITED, ChangeKind, change_kinds, must_wait
from catalog.models import Drift, Import, Server, Tool
from catalog.models.tool import UPSTREAM_FIELDS
from catalog.sources.listing import ListedTool
from catalog.suspicion.finding import Suspicion


@dataclass(frozen=True, slots=True)
class Plan:
    """What applying would do, by tool names. `changed` names the fields that differ, `kinds` what kinds of change they are.

    `decided` are those whose definition differs from the one in force in a way that waits for review already, or that
    a person refused.
    """

    added: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    gone: tuple[str, ...]
    back: tuple[str, ...]
    unchanged: int
    kinds: dict[str, tuple[ChangeKind, ...]] = field(default_factory=dict)
    decided: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.gone or self.back)

    @property
    def held(self) -> tuple[str, ...]:
        """Those of which what is in force stays so until a person accepts the change."""
        return tuple(name for name in self.changed if must_wait(self.kinds.get(name, ())))

    @property
    def sentence(self) -> str:
        parts = [("added", self.added), ("changed", self.changed), ("gone", self.gone), ("back", self.back)]
        told = [f"{len(names):,} {word}" for word, names in parts if names]
        waiting = [f"{len(self.decided):,} differing as before"] if self.decided else []
        return ", ".join([*told, *waiting, f"{self.unchanged:,} unchanged"])

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Plan":
        """The plan as an Import row keeps it."""
        return cls(
            added=tuple(stored.get("added", ())),
            changed={name: tuple(fields) for name, fields in stored.get("changed", {}).items()},
            gone=tuple(stored.get("gone", ())),
            back=tuple(stored.get("back", ())),
            unchanged=stored.get("unchanged", 0),
            kinds={name: tuple(kinds) for name, kinds in stored.get("kinds", {}).items()},
            decided=tuple(stored.get("decided", ())),
        )


def upstream_hash(upstream: dict[str, Any]) -> str:
    """One digest over all that a source says of a tool; the order of keys does not count."""
    return hashlib.sha256(json.dumps(upstream, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def plan_import(server: Server, tools: Iterable[ListedTool]) -> Plan:
    """Compare a listing with the rows of the server, which may be yet to be made. Nothing is written."""
    existing = {tool.name: tool for tool in server.tools.all()} if server.pk else {}
    listed = {tool.name: upstream_of(tool) for tool in tools}
    here = {name for name, tool in existing.items() if tool.gone_at is None}
    known = {name: existing[name] for name in listed if name in existing}
    differing = {name: fields for name, tool in known.items() if (fields := differing_fields(tool, listed[name]))}
    decided = _decided([known[name] for name in differing], listed)
    changed = {name: fields for name, fields in differing.items() if name not in decided}
    back = tuple(name for name in known if name not in here)
    return Plan(
        added=tuple(name for name in listed if name not in existing),
        changed=changed,
        gone=tuple(sorted(here - listed.keys())),
        back=back,
        unchanged=sum(1 for name in known if name not in differing and name in here),
        kinds={name: kinds_of(known[name], listed[name]) for name in changed},
        decided=tuple(name for name in differing if name in decided),
    )


def kinds_of(tool: Tool, upstream: dict[str, Any]) -> tuple[ChangeKind, ...]:
    """What kinds of change lie between what is in force of a tool and another definition."""
    kinds = change_kinds(tool.upstream(), upstream)
    rewritten = tool.own_description is not None and tool.description != upstream["description"]
    return (*kinds, EDITED) if rewritten else kinds


def _decided(tools: Sequence[Tool], listed: dict[str, dict[str, Any]]) -> set[str]:
    """Of the tools that differ, those whose new definition waits already, or was the last that a person refused."""
    undone = Drift.objects.filter(state__in=[Drift.State.WAITING, Drift.State.REFUSED]).order_by("found_at", "id")
    last: dict[str, str] = {}
    for batch in batched(tools):
        last.update(undone.filter(tool__in=batch).values_list("tool__name", "upstream_hash"))
    return {name for name, digest in last.items() if digest == upstream_hash(listed[name])}


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One tool of a plan, as the preview shows it: what happens to it, each field before and after, what is suspicious.

    `kinds` are those of a change; `is_held` says that it waits for a person's word.
    """

    verdict: str
    name: str
    tool: ListedTool | None = None
    changes: tuple[tuple[str, Any, Any], ...] = ()
    kinds: tuple[ChangeKind, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()

    @property
    def is_held(self) -> bool:
        return must_wait(self.kinds)

    @property
    def is_suspicious(self) -> bool:
        return any(suspicion.is_grave for suspicion in self.suspicions)


def preview(importation: Import, plan: Plan) -> list[PreviewRow]:
    """The rows of a plan that is yet to be applied: suspicious ones first, then changed ones; unchanged tools are not shown."""
    if importation.state != Import.State.PLANNED:
        return []
    listed = {tool.name: tool for tool in staged_tools(importation)}
    rows = {row.name: row for names in batched(plan.changed) for row in importation.server.tools.filter(name__in=names)}
    changed = [
        PreviewRow(
            "changed",
            name,
            listed[name],
            _changes(rows[name], listed[name], fields),
            plan.kinds.get(name, ()),
            _suspicions(importation, name),
        )
        for name, fields in plan.changed.items()
        if name in rows
    ]
    others = [("added", plan.added), ("back", plan.back), ("gone", plan.gone)]
    rest = [
        PreviewRow(word, name, listed.get(name), suspicions=_suspicions(importation, name))
        for word, names in others
        for name in names
    ]
    return sorted([*changed, *rest], key=lambda row: not row.is_suspicious)


def _suspicions(importation: Import, name: str) -> tuple[Suspicion, ...]:
    return tuple(Suspicion(**fields) for fields in importation.suspicions.get(name, ()))


def staged_tools(importation: Import) -> list[ListedTool]:
    return [ListedTool(**fields) for fields in importation.staged]


def upstream_of(tool: ListedTool) -> dict[str, Any]:
    fields = asdict(tool)
    upstream = {name: fields[name] for name in UPSTREAM_FIELDS}
    return upstream | {
        "tags": list(tool.tags),
        "permission": tool.permission or "",
        "output_schema": tool.output_schema or {},
    }


def _changes(row: Tool, tool: ListedTool, fields: Sequence[str]) -> tuple[tuple[str, Any, Any], ...]:
    upstream = upstream_of(tool)
    return tuple((name, getattr(row, name), upstream[name]) for name in fields)


def differing_fields(row: Tool, upstream: dict[str, Any]) -> tuple[str, ...]:
    if row.upstream_hash == upstream_hash(upstream):
        return ()
    return tuple(name for name in UPSTREAM_FIELDS if getattr(row, name) != upstream[name])
