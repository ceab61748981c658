"""How an edit of many tools is told: what changes, what is so already, what is refused, what was edited meanwhile."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.bulk_planning import BulkPlan, Planned
from catalog.history import Change
from catalog.models import BulkEdit, Tool


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the tools of an edit: keys of rows, each with why it is here where that is to be said."""

    slug: str
    words: str
    rows: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Row:
    tool: Tool
    why: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Told:
    plan: BulkPlan
    parts: tuple[Part, ...]

    def part(self, slug: str) -> Part:
        """The part of that word, or the first that holds any tool."""
        return next((part for part in self.parts if part.slug == slug), self.parts[0])

    def rows(self, keys: Iterable[tuple[int, str]]) -> list[Row]:
        return rows_of(self.plan, keys)


def rows_of(plan: BulkPlan, keys: Iterable[tuple[int, str]]) -> list[Row]:
    """Tools of a plan with what would change of them; one that was deleted since is left out."""
    keys = list(keys)
    changes = {one.tool: one for one in plan.changes}
    found = Tool.objects.select_related("server").in_bulk([key for key, _ in keys])
    return [Row(found[key], why, _changes(changes.get(key), found[key])) for key, why in keys if key in found]


def told(edit: BulkEdit) -> Told:
    plan = BulkPlan.of(edit.plan)
    parts = [part for part in _parts(edit, plan) if part.rows]
    return Told(plan, tuple(parts) or (Part("changes", "Would change", ()),))


def _parts(edit: BulkEdit, plan: BulkPlan) -> list[Part]:
    match edit.state:
        case BulkEdit.State.APPLIED:
            ours = [
                Part("changes", "Changed", _plain(edit.outcome["done"])),
                Part("missed", "Edited meanwhile, so left alone", _plain(edit.outcome["missed"])),
            ]
        case BulkEdit.State.UNDONE:
            ours = [
                Part("changes", "Put back", _plain(edit.outcome["undone"])),
                Part("missed", "Edited since, so left alone", _plain(edit.outcome["kept"])),
            ]
        case _:
            ours = [Part("changes", "Would change", [(one.tool, "") for one in plan.changes])]
    return [*ours, Part("refused", "Refused", plan.refused), Part("same", "So already", _plain(plan.same))]


def _plain(keys: Iterable[int]) -> list[tuple[int, str]]:
    return [(key, "") for key in keys]


def _changes(planned: Planned | None, tool: Tool) -> tuple[Change, ...]:
    if planned is None:
        return ()
    return tuple(
        (name, _in_words(tool, name, planned.before[name]), _in_words(tool, name, new))
        for name, new in planned.after.items()
    )


def _in_words(tool: Tool, name: str, value: Any) -> str:
    """As one reads it: yes and no, lists in a line, and what the source says where a person says nothing."""
    if name.startswith("own_") and value in (None, ""):
        value = getattr(tool, name.removeprefix("own_"))
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(str, value)) or ("any" if name == "platforms" else "none")
    return str(value)
