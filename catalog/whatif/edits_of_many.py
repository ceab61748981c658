"""The gate before an edit of many tools: what applying it would do to judged queries, found without changing a row."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User

from catalog.batches import batched
from catalog.bulk_applying import stands
from catalog.bulk_planning import BulkPlan, Planned
from catalog.exposing import candidate, exposed
from catalog.exposure import Candidate
from catalog.generations import generation_of
from catalog.indexing import revision_of
from catalog.models import BulkEdit, Catalog, Tool
from catalog.tools import ToolSpec
from catalog.whatif.edits import Wanted
from catalog.whatif.gate import ACT_SECONDS, acting_at_once, keeping, with_gate
from catalog.whatif.known import judged_of
from catalog.whatif.looks import Look, MakeWanted, finished, look_at
from catalog.whatif.rows import side_of
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import Held, held_by

MOST_LOOKS = 8
"""Catalogs that are looked at before an edit is applied; applying it asks all that it reaches at once."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What an edit does in one catalog, which is worked out in the background."""

    catalog: Catalog
    look: Look


def looks_at_edit(edit: BulkEdit) -> tuple[list[Looked], int]:
    """In the catalogs with a gate that have any of its tools, those that it reaches at once first; and how many more there are."""
    plan = _plan(edit)
    rows = with_gate().order_by("-publishes_itself", "title")
    having = [catalog for catalog in rows if _has_any(catalog, plan) and judged_of(catalog)]
    looked = [Looked(catalog, look_at(catalog, *_asked(edit, catalog, plan))) for catalog in having[:MOST_LOOKS]]
    return looked, len(having) - len(looked)


def held_edit_of_many(edit: BulkEdit, by: User) -> Held | None:
    """Whether applying it is held by a catalog whose changes reach agents at once."""
    plan = _plan(edit)
    having = [catalog for catalog in acting_at_once() if _has_any(catalog, plan)]
    return held_by([finished(catalog, *_asked(edit, catalog, plan), ACT_SECONDS) for catalog in having], by)


def _plan(edit: BulkEdit) -> dict[int, Planned]:
    """What changes, by the key of the tool's row."""
    return {one.tool: one for one in BulkPlan.of(edit.plan).changes}


def _has_any(catalog: Catalog, plan: Collection[int]) -> bool:
    candidates = generation_of(catalog).read.candidates
    return any(key in candidates for key in plan)


def _asked(edit: BulkEdit, catalog: Catalog, plan: dict[int, Planned]) -> tuple[Change, MakeWanted]:
    """Tools that go count where publishing will ask once more: what acts at once may take any out."""
    side = side_of(catalog)
    change = Change(f"many {edit.pk}", revision_of(catalog), judged_of(catalog), side, lambda side, folder: side)

    def wanted() -> Wanted:
        found = Wanted(_exposed(catalog, plan), side.engine, side.policy)
        return keeping(change, found) if catalog.publishes_itself else found

    return change, wanted


def _exposed(catalog: Catalog, plan: dict[int, Planned]) -> tuple[ToolSpec, ...]:
    """What a search would go through. A tool that was edited since the plan was made stays as it is."""
    now = generation_of(catalog).read.candidates
    edited: dict[int, Candidate] = {}
    for keys in batched(key for key in plan if key in now):
        for row in Tool.objects.for_specs().filter(pk__in=keys):
            planned = plan[row.pk]
            if stands(row, planned.before):
                for name, value in planned.after.items():
                    setattr(row, name, value)
                edited[row.pk] = candidate(row, now[row.pk].excluded)
    return exposed(catalog, {**now, **edited}).pool.searchable
