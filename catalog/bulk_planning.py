"""What an edit of many tools would do to each of them: planned over the rows as they are, shown, and only then applied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User

from catalog.batches import batched
from catalog.bulk_acts import ACTS, Act, RefusedError, changes_of
from catalog.models import BulkEdit, Tool
from catalog.models.tool import OVERLAY_FIELDS
from catalog.prompt_size import estimate_tool

UNREAD = ("output_schema", "annotations", "simulated_result", "files", "call_plan", "suspicions")
SOURCE_FIELDS = ("category", "tags", "permission")
"""What an act may ask of a tool's source."""
Fields = dict[str, Any]
"""Fields of an overlay, by name."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What changes of one tool: its fields before and after."""

    tool: int
    before: Fields
    after: Fields


@dataclass(slots=True)
class BulkPlan:
    """`same`: tools that are so already. `refused`: those that the act is not done to, with the reason. Keys of rows.

    `tokens`: what the changed tools cost in a prompt more than before, fewer if negative.
    """

    changes: list[Planned] = field(default_factory=list)
    same: list[int] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    tokens: int = 0

    def as_json(self) -> dict[str, Any]:
        """What `of` reads. The values are those of the rows, not copies: thousands of them take seconds to copy."""
        changes = [{"tool": one.tool, "before": one.before, "after": one.after} for one in self.changes]
        return {"changes": changes, "same": self.same, "refused": self.refused, "tokens": self.tokens}

    @classmethod
    def of(cls, plan: dict[str, Any]) -> "BulkPlan":
        changes = [Planned(**change) for change in plan["changes"]]
        return cls(changes, plan["same"], [(key, why) for key, why in plan["refused"]], plan["tokens"])


def plan_edit(act: str, value: str, tools: Sequence[int], by: User, query: str) -> BulkEdit:
    """An edit of the tools of these keys, ready to be shown and applied."""
    plan = BulkPlan()
    for row in _rows(tools, ACTS[act]):
        _plan(plan, row, act, value)
    return BulkEdit.objects.create(
        by=by, act=act, value=value, query=query[:2000], tool_ids=list(tools), plan=plan.as_json()
    )


def _rows(tools: Sequence[int], act: Act) -> Iterator[Tool]:
    """The rows of these keys, in their order; one that was deleted since is left out."""
    read = [*OVERLAY_FIELDS, *SOURCE_FIELDS]
    rows = Tool.objects.defer(*UNREAD).prefetch_related("server") if act.rewords else Tool.objects.only(*read)
    for keys in batched(tools):
        found = rows.in_bulk(keys)
        yield from (found[key] for key in keys if key in found)


def _plan(plan: BulkPlan, row: Tool, act: str, value: str) -> None:
    source = {name: getattr(row, name) for name in SOURCE_FIELDS}
    try:
        after = changes_of(ACTS[act], value, row.overlay(), source)
    except RefusedError as refused:
        plan.refused.append((row.pk, str(refused)))
        return
    if not after:
        plan.same.append(row.pk)
        return
    plan.changes.append(Planned(row.pk, {name: getattr(row, name) for name in after}, after))
    plan.tokens += tokens_more(row, after)


def tokens_more(row: Tool, after: Fields) -> int:
    """Of a change that rewords; what others change is not sent to a model."""
    if "own_description" not in after:
        return 0
    now = estimate_tool(row.to_spec())
    row.own_description = after["own_description"]
    return estimate_tool(row.to_spec()) - now
