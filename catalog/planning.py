"""What importing a listing would do to a server's tools: compared, told and shown, with nothing written."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalog.batches import batched
from catalog.meaning import EDITED, ChangeKind, change_kinds, must_wait
from catalog.models import Drift, Server, Tool
from catalog.models.tool import UPSTREAM_FIELDS
from catalog.sources.listing import ListedTool


@dataclass(frozen=True, slots=True)
class Plan:
    """What applying would do, by tool names. `changed` names the fields that differ, `kinds` what kinds of change they are.

    `decided` are those whose definition differs from the one in force in a way that waits for review already, or that
    a person refused. `holds_rewordings` is the server's.
    """

    added: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    gone: tuple[str, ...]
    back: tuple[str, ...]
    unchanged: int
    kinds: dict[str, tuple[ChangeKind, ...]] = field(default_factory=dict)
    decided: tuple[str, ...] = ()
    holds_rewordings: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.gone or self.back)

    @property
    def held(self) -> tuple[str, ...]:
        """Those of which what is in force stays so until a person accepts the change."""
        return tuple(name for name in self.changed if self.is_held(name))

    def is_held(self, name: str) -> bool:
        return must_wait(self.kinds.get(name, ()), wording_too=self.holds_rewordings)

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
            holds_rewordings=stored.get("holds_rewordings", False),
        )


def upstream_hash(upstream: dict[str, Any]) -> str:
    """One digest over all that a source says of a tool; the order of keys does not count."""
    return hashlib.sha256(json.dumps(upstream, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Definition:
    """What a source says of a tool, by the fields of its row, and the digest of that."""

    upstream: dict[str, Any]
    digest: str


def definitions_of(tools: Iterable[ListedTool]) -> dict[str, Definition]:
    """By name. Of two tools of one name the last counts."""
    return {tool.name: Definition(upstream := upstream_of(tool), upstream_hash(upstream)) for tool in tools}


def plan_import(server: Server, tools: Iterable[ListedTool]) -> Plan:
    """Compare a listing with the rows of the server, which may be yet to be made. Nothing is written."""
    return plan_of(server, definitions_of(tools))


def plan_of(server: Server, listed: Mapping[str, Definition]) -> Plan:
    """As `plan_import`. Only rows of which something else is said are read whole."""
    rows = server.tools.values_list("name", "upstream_hash", "gone_at") if server.pk else ()
    existing = {name: (digest, gone_at) for name, digest, gone_at in rows}
    here = {name for name, (_, gone_at) in existing.items() if gone_at is None}
    known = [name for name in listed if name in existing]
    others = _named(server, (name for name in known if existing[name][0] != listed[name].digest))
    differing = {name: fields for name, row in others.items() if (fields := _differing(row, listed[name].upstream))}
    decided = _decided([others[name] for name in differing], listed)
    changed = {name: fields for name, fields in differing.items() if name not in decided}
    return Plan(
        added=tuple(name for name in listed if name not in existing),
        changed=changed,
        gone=tuple(sorted(here - listed.keys())),
        back=tuple(name for name in known if name not in here),
        unchanged=sum(1 for name in known if name not in differing and name in here),
        kinds={name: kinds_of(others[name], listed[name].upstream) for name in changed},
        decided=tuple(name for name in differing if name in decided),
        holds_rewordings=server.holds_rewordings,
    )


def _named(server: Server, names: Iterable[str]) -> dict[str, Tool]:
    """The rows of these names, in their order."""
    names = list(names)
    rows = {row.name: row for batch in batched(names) for row in server.tools.filter(name__in=batch)}
    return {name: rows[name] for name in names if name in rows}


def kinds_of(tool: Tool, upstream: dict[str, Any]) -> tuple[ChangeKind, ...]:
    """What kinds of change lie between what is in force of a tool and another definition."""
    kinds = change_kinds(tool.upstream(), upstream)
    rewritten = tool.own_description is not None and tool.description != upstream["description"]
    return (*kinds, EDITED) if rewritten else kinds


def _decided(tools: Sequence[Tool], listed: Mapping[str, Definition]) -> set[str]:
    """Of the tools that differ, those whose new definition waits already, or was the last that a person refused."""
    undone = Drift.objects.filter(state__in=[Drift.State.WAITING, Drift.State.REFUSED]).order_by("found_at", "id")
    last: dict[str, str] = {}
    for batch in batched(tools):
        last.update(undone.filter(tool__in=batch).values_list("tool__name", "upstream_hash"))
    return {name for name, digest in last.items() if digest == listed[name].digest}


def upstream_of(tool: ListedTool) -> dict[str, Any]:
    """What a listing says of a tool, by the fields of its row; schemas are those of the listing, not copies."""
    upstream = {name: getattr(tool, name) for name in UPSTREAM_FIELDS}
    return upstream | {
        "tags": list(tool.tags),
        "permission": tool.permission or "",
        "output_schema": tool.output_schema or {},
    }


def differing_fields(row: Tool, upstream: dict[str, Any]) -> tuple[str, ...]:
    return () if row.upstream_hash == upstream_hash(upstream) else _differing(row, upstream)


def _differing(row: Tool, upstream: dict[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in UPSTREAM_FIELDS if getattr(row, name) != upstream[name])
