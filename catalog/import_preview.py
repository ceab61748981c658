"""The rows of a plan as the page of an import shows them; only those that are looked at are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, overload

from catalog.batches import batched
from catalog.meaning import ChangeKind
from catalog.models import Import, Tool
from catalog.planning import Plan, upstream_of
from catalog.sources.listing import ListedTool
from catalog.staging import staged_named
from catalog.suspicion.finding import Suspicion

Verdict = Literal["changed", "added", "back", "gone"]


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One tool of a plan, as the preview shows it: what happens to it, each field before and after, what is suspicious.

    `kinds` are those of a change; `is_held` says that it waits for a person's word.
    """

    verdict: Verdict
    name: str
    tool: ListedTool | None = None
    changes: tuple[tuple[str, Any, Any], ...] = ()
    kinds: tuple[ChangeKind, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    is_held: bool = False

    @property
    def is_suspicious(self) -> bool:
        return any(suspicion.is_grave for suspicion in self.suspicions)


@dataclass(frozen=True)
class Preview(Sequence[PreviewRow]):
    """All rows, suspicious ones first, then changed ones; a slice reads its tools and no others."""

    importation: Import
    plan: Plan

    def __len__(self) -> int:
        return len(self._named)

    def __iter__(self) -> Iterator[PreviewRow]:
        return iter(self[:])

    @overload
    def __getitem__(self, places: int) -> PreviewRow: ...

    @overload
    def __getitem__(self, places: slice) -> list[PreviewRow]: ...

    def __getitem__(self, places: int | slice) -> PreviewRow | list[PreviewRow]:
        if isinstance(places, int):
            return self._rows([self._named[places]])[0]
        return self._rows(self._named[places])

    @cached_property
    def _named(self) -> list[tuple[Verdict, str]]:
        if self.importation.state != Import.State.PLANNED:
            return []
        plan = self.plan
        parts: dict[Verdict, Sequence[str]] = {
            "changed": tuple(plan.changed),
            "added": plan.added,
            "back": plan.back,
            "gone": plan.gone,
        }
        named = [(verdict, name) for verdict, names in parts.items() for name in names]
        return sorted(named, key=lambda row: not self._is_grave(row[1]))

    def _is_grave(self, name: str) -> bool:
        found = self.importation.suspicions.get(name)
        return bool(found) and any(suspicion.is_grave for suspicion in self._suspicions(name))

    def _rows(self, named: Sequence[tuple[Verdict, str]]) -> list[PreviewRow]:
        listed = staged_named(self.importation, [name for _, name in named])
        changed = [name for verdict, name in named if verdict == "changed"]
        rows = self.importation.server.tools.all()
        known = {row.name: row for names in batched(changed) for row in rows.filter(name__in=names)}
        return [self._row(verdict, name, listed.get(name), known.get(name)) for verdict, name in named]

    def _row(self, verdict: Verdict, name: str, tool: ListedTool | None, row: Tool | None) -> PreviewRow:
        changes: tuple[tuple[str, Any, Any], ...] = ()
        if verdict == "changed" and tool is not None and row is not None:
            upstream = upstream_of(tool)
            changes = tuple((field, getattr(row, field), upstream[field]) for field in self.plan.changed[name])
        kinds, is_held = self.plan.kinds.get(name, ()), verdict == "changed" and self.plan.is_held(name)
        return PreviewRow(verdict, name, tool, changes, kinds, self._suspicions(name), is_held)

    def _suspicions(self, name: str) -> tuple[Suspicion, ...]:
        return tuple(Suspicion(**fields) for fields in self.importation.suspicions.get(name, ()))


def preview(importation: Import, plan: Plan) -> Preview:
    """The rows of a plan that is yet to be applied; unchanged tools are not shown, and of one that is none there is nothing to show."""
    return Preview(importation, plan)
