"""Importing tools into a server: read, plan, show, apply. Until it is applied, nothing of the server changes.

Applying is one transaction: it happens whole or not at all.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.batches import BATCH, batched
from catalog.drifting import hold, put_in_force, withdraw
from catalog.linting import look_again
from catalog.models import Import, Server, Tool
from catalog.planning import Plan, plan_import, staged_tools, upstream_hash, upstream_of
from catalog.sources.listing import ListedTool, Listing
from catalog.suspecting import suspicions_of
from catalog.versions import keep_versions


class ImportRefused(Exception):
    """The import cannot be applied as it stands; the message says why and what to do."""


def stage(importation: Import, listing: Listing) -> None:
    """Keep what was read and the plan for it on the import, ready to be shown."""
    plan = plan_import(importation.server, listing.tools)
    importation.staged = [asdict(tool) for tool in listing.tools]
    importation.problems = [asdict(problem) for problem in listing.problems]
    importation.plan = asdict(plan)
    importation.suspicions = suspicions_of(
        importation.server, [tool for tool in listing.tools if tool.name in {*plan.added, *plan.changed, *plan.back}]
    )
    importation.total = len(listing.tools)
    importation.read_as = listing.read_as[:300]
    importation.state = Import.State.PLANNED
    importation.save()


def fail(importation: Import, reason: str) -> None:
    importation.state, importation.error, importation.ended_at = Import.State.FAILED, reason, timezone.now()
    importation.save(update_fields=["state", "error", "ended_at"])


def claim(importation: Import) -> None:
    """Take a planned import for applying; of two who try, one gets it. Raises ImportRefused."""
    planned = Import.objects.filter(pk=importation.pk, state=Import.State.PLANNED)
    if not planned.update(state=Import.State.APPLYING, done=0):
        raise ImportRefused("This import was applied or discarded already. Start a new one.")
    importation.refresh_from_db()


def apply(importation: Import, by: User | None, accepted: Collection[str] = ()) -> Plan:
    """Write a claimed import in one transaction: the tools, a version of each that changed, what is gone.

    Rewordings are in force from then on, changes of meaning only of the tools in `accepted`; the others wait for review.
    Raises ImportRefused if the server's tools changed since the plan was shown.
    """
    tools = staged_tools(importation)
    with transaction.atomic():
        server = Server.objects.select_for_update().get(pk=importation.server_id)
        plan = plan_import(server, tools)
        if asdict(plan) != asdict(Plan.of(importation.plan)):
            raise ImportRefused("The server's tools changed since this plan was made. Start the import again.")
        _write(server, tools, plan, by, accepted)
        importation.state, importation.ended_at, importation.staged = Import.State.APPLIED, timezone.now(), []
        importation.save(update_fields=["state", "ended_at", "staged"])
        record(Act.IMPORT_APPLIED, server, after={"import": importation.pk, **told(plan)}, by=by)
    look_again(server, _touched(plan))
    return plan


def import_listing(server: Server, listing: Listing, by: User | None = None, *, accept_meaning: bool = False) -> Plan:
    """Plan and apply in one go, for the command line, the sample and syncs that nobody watches."""
    with transaction.atomic():
        plan = plan_import(server, listing.tools)
        _write(server, listing.tools, plan, by, plan.changed if accept_meaning else ())
    look_again(server, _touched(plan))
    return plan


def told(plan: Plan) -> dict[str, object]:
    """What the audit is told of a plan that was applied: the names of tools, where there are any."""
    names = {"added": plan.added, "changed": tuple(plan.changed), "gone": plan.gone, "back": plan.back}
    return {what: sorted(those) for what, those in names.items() if those}


def _touched(plan: Plan) -> tuple[str, ...]:
    """The tools of which something else may be in force now."""
    return (*plan.added, *plan.changed, *plan.back, *plan.gone)


def _write(server: Server, tools: Sequence[ListedTool], plan: Plan, by: User | None, accepted: Collection[str]) -> None:
    now = timezone.now()
    listed = {tool.name: upstream_of(tool) for tool in tools}
    _add(server, [tool for tool in tools if tool.name in set(plan.added)], by)
    for names in batched(plan.back):
        server.tools.filter(name__in=names).update(gone_at=None, updated_at=now)
    held = {name for name in plan.held if name not in accepted}
    put_in_force(server, {name: listed[name] for name in plan.changed if name not in held}, by)
    hold(server, {name: listed[name] for name in plan.changed if name in held}, plan.kinds)
    withdraw(server, [name for name in listed if name not in plan.changed and name not in plan.decided])
    for names in batched(plan.gone):
        server.tools.filter(name__in=names).update(gone_at=now, updated_at=now)
    server.tools.here().update(last_seen_at=now)
    server.synced_at, server.sync_problem = now, ""
    server.save(update_fields=["synced_at", "sync_problem", "updated_at"])


def _add(server: Server, tools: Sequence[ListedTool], by: User | None) -> None:
    now = timezone.now()
    suspicions = suspicions_of(server, tools)
    rows = [_new_row(server, tool, now, suspicions.get(tool.name, [])) for tool in tools]
    Tool.objects.bulk_create(rows, batch_size=BATCH)
    keep_versions(rows, by)


def _new_row(server: Server, tool: ListedTool, now: datetime, suspicions: list[dict[str, object]]) -> Tool:
    upstream = upstream_of(tool)
    return Tool(
        server=server,
        name=tool.name,
        **upstream,
        capability=tool.capability,
        upstream_hash=upstream_hash(upstream),
        suspicions=suspicions,
        search_text=tool.search_text,
        aliases=list(tool.aliases),
        enabled=tool.available,
        searchable=tool.searchable,
        platforms=list(tool.platforms),
        last_seen_at=now,
    )
