"""Accepting many rewordings together: in batches, each one transaction, every tool with its version and its entry in the audit."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.facts import differing, of_tool
from catalog.auditing.recording import Act, record
from catalog.batches import batched
from catalog.drifting import define, end_drifts
from catalog.linting import look_alone
from catalog.models import Drift, Tool


def accept_rewordings(drifts: Iterable[Drift], by: User) -> int:
    """Accept those that change no meaning and no text that a person has written over, and wait still; how many."""
    return sum(_accept(keys, by) for keys in batched(drift.pk for drift in drifts))


def _accept(keys: Sequence[int], by: User) -> int:
    with transaction.atomic():
        found = Drift.objects.filter(pk__in=keys)
        tools = Tool.objects.select_for_update(of=("self",)).filter(pk__in=found.values("tool"))
        rows = {row.pk: row for row in tools.prefetch_related("server")}
        waiting = list(found.waiting().filter(changes_meaning=False, rewrites=False))
        changed = [rows[drift.tool_id] for drift in waiting]
        before = {row.pk: of_tool(row) for row in changed}
        define({rows[drift.tool_id]: drift.upstream for drift in waiting}, by)
        end_drifts(Drift.objects.waiting().filter(pk__in=[drift.pk for drift in waiting]), Drift.State.ACCEPTED, by)
        look_alone(changed)
        for row in changed:
            old, new = differing(before[row.pk], of_tool(row))
            record(Act.DRIFT_ACCEPTED, row, old, new, by)
        return len(changed)
