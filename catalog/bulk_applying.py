"""Carrying out an edit of many tools, and undoing it: one transaction each, a version of every tool, in the person's name.

A tool that was edited since is left as it is, and told.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import background
from catalog.auditing.recording import Act, record
from catalog.batches import batched, write_fields
from catalog.bulk_planning import BulkPlan, Planned
from catalog.linting import look_alone
from catalog.models import BulkEdit, Tool, ToolVersion
from catalog.models.tool import OVERLAY_FIELDS
from catalog.owners import this_owner
from catalog.progress import begin, end

AT_ONCE = 500
"""Tools that are edited while somebody waits; more are work for the background."""
LINTED = frozenset(("own_description", "own_tags", "search_text", "aliases", "enabled"))
"""Fields that decide what lint finds of a tool."""
State = BulkEdit.State


class NotNowError(Exception):
    """The edit was applied, or undone, or is under way already."""


def apply_edit(edit: BulkEdit, by: User) -> None:
    """Do what was planned, at once or in the background. Raises NotNowError."""
    _begin(edit, State.PLANNED, State.APPLYING, by)


def undo_edit(edit: BulkEdit, by: User) -> None:
    """Put back what was changed, at once or in the background. Raises NotNowError."""
    _begin(edit, State.APPLIED, State.UNDOING, by)


def carry_out(plan: BulkPlan, act: str, value: str, by: User | None) -> BulkEdit:
    """Do what was planned elsewhere, within the transaction that asks for it, as an edit that can be undone."""
    tools = [one.tool for one in plan.changes]
    edit = BulkEdit.objects.create(
        by=by, act=act, value=value, tool_ids=tools, plan=plan.as_json(), state=State.APPLYING, owner=this_owner()
    )
    _carry_out(edit, by)
    return edit


def _begin(edit: BulkEdit, now: State, then: State, by: User) -> None:
    """Of two who ask, one gets it."""
    if not BulkEdit.objects.filter(pk=edit.pk, state=now).update(state=then, owner=this_owner(), problem=""):
        raise NotNowError
    edit.refresh_from_db()
    if len(edit.plan["changes"]) > AT_ONCE:
        background.submit(partial(_carry_out, edit, by))
    else:
        _carry_out(edit, by)


def _carry_out(edit: BulkEdit, by: User | None) -> None:
    changes = BulkPlan.of(edit.plan).changes
    try:
        if edit.state == State.APPLYING:
            _apply(edit, changes, by)
        else:
            _undo(edit, changes, by)
    except Exception:
        BulkEdit.objects.filter(pk=edit.pk).update(state=State.FAILED, ended_at=timezone.now())
        raise
    finally:
        end(edit)


def _apply(edit: BulkEdit, changes: Sequence[Planned], by: User | None) -> None:
    with transaction.atomic():
        done = _write(edit, {one.tool: (one.before, one.after) for one in changes}, by)
        _end(
            edit,
            State.APPLIED,
            {"done": _of(changes, done), "missed": _of(changes, {one.tool for one in changes} - done)},
        )
        record(Act.BULK_APPLIED, edit, after={"act": edit.act, "value": edit.value, "tools": len(done)}, by=by)


def _undo(edit: BulkEdit, changes: Sequence[Planned], by: User | None) -> None:
    with transaction.atomic():
        applied = set(edit.outcome["done"])
        done = _write(edit, {one.tool: (one.after, one.before) for one in changes if one.tool in applied}, by)
        _end(edit, State.UNDONE, edit.outcome | {"undone": _of(changes, done), "kept": _of(changes, applied - done)})
        record(Act.BULK_UNDONE, edit, before={"act": edit.act, "value": edit.value, "tools": len(done)}, by=by)


def _of(changes: Iterable[Planned], tools: Set[int]) -> list[int]:
    """Those of the planned tools, in the order in which they were shown."""
    return [one.tool for one in changes if one.tool in tools]


def _end(edit: BulkEdit, state: State, outcome: dict[str, Any]) -> None:
    edit.state, edit.outcome, edit.ended_at = state, outcome, timezone.now()
    edit.save(update_fields=["state", "outcome", "ended_at"])


def _write(edit: BulkEdit, wanted: Mapping[int, tuple[dict[str, Any], dict[str, Any]]], by: User | None) -> set[int]:
    """Have the tools of these keys go from the one state to the other; the keys of those that were in the one."""
    done, tell = set[int](), begin(edit, edit.get_state_display(), len(wanted))
    for keys in batched(list(wanted)):
        background.go_on()
        rows = Tool.objects.select_for_update(of=("self",)).only(*OVERLAY_FIELDS).filter(pk__in=keys)
        fitting = [row for row in rows if stands(row, wanted[row.pk][0])]
        _write_batch(fitting, {row.pk: wanted[row.pk][1] for row in fitting}, by)
        done |= {row.pk for row in fitting}
        tell(len(done))
    return done


def stands(row: Tool, fields: Mapping[str, Any]) -> bool:
    """Whether nobody edited the tool since it was planned to go from these fields."""
    return all(getattr(row, name) == value for name, value in fields.items())


def _write_batch(rows: Sequence[Tool], after: Mapping[int, Mapping[str, Any]], by: User | None) -> None:
    _keep_beginnings(rows)
    now = timezone.now()
    for row in rows:
        for name, value in after[row.pk].items():
            setattr(row, name, value)
        row.edited_at = row.updated_at = now
    names = {name for fields in after.values() for name in fields}
    write_fields(rows, [*sorted(names), "edited_at", "updated_at"])
    layer = ToolVersion.Layer.OVERLAY
    ToolVersion.objects.bulk_create(
        [ToolVersion(tool=row, layer=layer, content=row.overlay(), by=by) for row in rows], batch_size=AT_ONCE
    )
    if names & LINTED:
        look_alone(Tool.objects.for_specs().filter(pk__in=[row.pk for row in rows]))


def _keep_beginnings(rows: Iterable[Tool]) -> None:
    """As `keep_beginning`, of many tools."""
    layer, untouched = ToolVersion.Layer.OVERLAY, Tool().overlay()
    curated = [row for row in rows if row.overlay() != untouched]
    edited = set(ToolVersion.objects.filter(tool__in=curated, layer=layer).values_list("tool_id", flat=True))
    ToolVersion.objects.bulk_create(
        [ToolVersion(tool=row, layer=layer, content=row.overlay()) for row in curated if row.pk not in edited]
    )
