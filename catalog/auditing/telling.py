"""Audit entries told: a sentence with the way to the row, and what was before and after."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.urls import NoReverseMatch, reverse

from catalog.auditing.acts import Act
from catalog.auditing.kinds import Kind, kind_called
from catalog.models import AuditEntry

SHORT = 40
"""Characters of a value that is told in a line."""
OWN = frozenset({Act.SIGNED_IN, Act.SIGNED_OUT})
"""Acts of a person that name no other row."""


@dataclass(frozen=True, slots=True)
class Told:
    """An entry with its words: `act` between person and row, `row` as it is called, `url` empty where it is no more."""

    entry: AuditEntry
    act: str
    row: str
    url: str

    @property
    def who(self) -> str:
        return self.entry.who or (
            "Somebody" if self.entry.act in (Act.SIGN_IN_FAILED, Act.SIGN_IN_HELD_OFF) else "Pegboard"
        )

    @property
    def facts(self) -> str:
        """What changed, in a line: short values as they were and are, of longer ones the name."""
        return ", ".join(
            _change(name.removeprefix("own_").replace("_", " "), *both) for name, *both in self.entry.changes
        )


def _change(name: str, before: Any, after: Any) -> str:
    if any(isinstance(value, list | dict) or len(str(value)) > SHORT for value in (before, after)):
        return name
    old, new = ("" if value is None else json.dumps(value, ensure_ascii=False).strip('"') for value in (before, after))
    return f"{name}: {old or '–'} → {new or '–'}" if before is not None else f"{name}: {new or '–'}"


def told(entries: Iterable[AuditEntry]) -> list[Told]:
    rows = list(entries)
    here = _still_here(rows)
    return [Told(row, Act(row.act).label, _called(row), _address(row, here)) for row in rows]


def to_json(entry: AuditEntry) -> dict[str, Any]:
    """An entry as a line of the export, its place in the chain with it."""
    names = ["number", "at", "act", "who_id", "who", "kind", "key", "name", "before", "after"]
    names += ["way", "way_title", "request", "address", "pruned_to", "previous", "hash"]
    return {name: getattr(entry, name) for name in names}


def _called(entry: AuditEntry) -> str:
    if entry.act in OWN:
        return ""
    return entry.name or (f"{entry.kind} {entry.key[:8]}" if entry.kind else "")


def _address(entry: AuditEntry, here: Mapping[str, set[str]]) -> str:
    kind = kind_called(entry.kind)
    if kind is None or not kind.address or _first(entry, kind) not in here[kind.word]:
        return ""
    try:
        return reverse(kind.address, args=entry.key.split("/", len(kind.key) - 1))
    except NoReverseMatch:
        return ""


def _still_here(entries: Iterable[AuditEntry]) -> Mapping[str, set[str]]:
    """Of each kind, the keys of rows that are still there; of tools, of the servers. One query a kind."""
    asked: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if kind := kind_called(entry.kind):
            asked[kind.word].add(_first(entry, kind))
    return {word: _found(kind, keys) for word, keys in asked.items() if (kind := kind_called(word))}


def _found(kind: Kind, keys: set[str]) -> set[str]:
    rows: Any = apps.get_model(kind.label)._default_manager
    return {
        str(key) for key in rows.filter(**{f"{kind.lookup}__in": keys}).values_list(kind.lookup, flat=True).distinct()
    }


def _first(entry: AuditEntry, kind: Kind) -> str:
    return entry.key.split("/", 1)[0] if len(kind.key) > 1 else entry.key
