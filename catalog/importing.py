"""Importing tools into a server: read, plan, show, apply. Until it is applied, nothing of the server changes.

Applying is one transaction: it happens whole or not at all.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import background
from catalog.auditing.recording import Act, record
from catalog.batches import BATCH, batched
from catalog.drifting import hold, put_in_force, withdraw
from catalog.linting import look_again
from catalog.models import Import, Server, Tool
from catalog.owners import this_owner
from catalog.planning import Definition, Plan, definitions_of, plan_import, plan_of
from catalog.progress import Tell, untold
from catalog.sources.listing import ListedTool, Listing
from catalog.staging import drop_staged, keep_staged, staged_tools
from catalog.suspecting import Found, suspicions_of, suspicions_still
from catalog.versions import keep_versions

BEGUN = (Import.State.READING, Import.State.CHOOSING)


class ImportRefused(Exception):
    """The import cannot be applied as it stands; the message says why and what to do."""


def stage(importation: Import, listing: Listing, tell: Tell = untold) -> None:
    """Keep what was read and the plan for it on the import, ready to be shown; `tell` hears how many tools were looked through.

    Raises StoppedError if the import was discarded meanwhile.
    """
    plan = plan_import(importation.server, listing.tools)
    new = {*plan.added, *plan.changed, *plan.back}
    importation.suspicions = suspicions_of(
        importation.server, [tool for tool in listing.tools if tool.name in new], tell
    )
    importation.problems = [asdict(problem) for problem in listing.problems]
    importation.plan = asdict(plan)
    importation.total = len(listing.tools)
    importation.read_as = listing.read_as[:300]
    importation.state = Import.State.PLANNED
    with transaction.atomic():
        if (
            importation.pk
            and not Import.objects.select_for_update().filter(pk=importation.pk, state__in=BEGUN).exists()
        ):
            raise background.StoppedError
        importation.save()
        keep_staged(importation, listing.tools)


def fail(importation: Import, reason: str) -> None:
    importation.state, importation.error, importation.ended_at = Import.State.FAILED, reason, timezone.now()
    importation.save(update_fields=["state", "error", "ended_at"])


def claim(importation: Import) -> None:
    """Take a planned import for applying; of two who try, one gets it. Raises ImportRefused."""
    planned = Import.objects.filter(pk=importation.pk, state=Import.State.PLANNED)
    if not planned.update(state=Import.State.APPLYING, done=0, owner=this_owner()):
        raise ImportRefused("This import was applied or discarded already. Start a new one.")
    importation.refresh_from_db()


def apply(importation: Import, by: User | None, accepted: Collection[str] = (), tell: Tell = untold) -> Plan:
    """Write a claimed import in one transaction: the tools, a version of each that changed, what is gone.

    Rewordings are in force from then on, changes of meaning only of the tools in `accepted`; the others wait for review.
    What takes time and writes nothing is done before the transaction, since others wait for its end. `tell` hears how many
    tools were written. Raises ImportRefused if the server's tools changed since the plan was shown.
    """
    tools, plan = staged_tools(importation), Plan.of(importation.plan)
    listed = definitions_of(tools)
    found = suspicions_still(importation.server, [*plan.added, *plan.changed, *plan.back], importation.suspicions)
    rows = _new_rows(importation.server, tools, plan, listed, found)
    with transaction.atomic():
        server = Server.objects.select_for_update().get(pk=importation.server_id)
        if asdict(plan_of(server, listed)) != asdict(plan):
            raise ImportRefused("The server's tools changed since this plan was made. Start the import again.")
        _write(server, Written(rows, listed, plan), by, accepted, tell)
        drop_staged(importation)
        importation.state, importation.ended_at = Import.State.APPLIED, timezone.now()
        importation.save(update_fields=["state", "ended_at"])
        record(Act.IMPORT_APPLIED, server, after={"import": importation.pk, **told(plan)}, by=by)
    look_again(server, _touched(plan))
    return plan


def import_listing(server: Server, listing: Listing, by: User | None = None, *, accept_meaning: bool = False) -> Plan:
    """Plan and apply in one go, for the command line, the sample and syncs that nobody watches."""
    listed = definitions_of(listing.tools)
    before = plan_of(server, listed)
    found = _suspicions_of_new(server, listing, before)
    with transaction.atomic():
        plan = plan_of(server, listed)
        if plan.added != before.added:
            found = _suspicions_of_new(server, listing, plan)
        rows = _new_rows(server, listing.tools, plan, listed, found)
        _write(server, Written(rows, listed, plan), by, plan.changed if accept_meaning else (), untold)
    look_again(server, _touched(plan))
    return plan


def told(plan: Plan) -> dict[str, object]:
    """What the audit is told of a plan that was applied: the names of tools, where there are any."""
    names = {"added": plan.added, "changed": tuple(plan.changed), "gone": plan.gone, "back": plan.back}
    return {what: sorted(those) for what, those in names.items() if those}


def _suspicions_of_new(server: Server, listing: Listing, plan: Plan) -> Found:
    new = set(plan.added)
    return suspicions_of(server, [tool for tool in listing.tools if tool.name in new])


def _touched(plan: Plan) -> tuple[str, ...]:
    """The tools of which something else may be in force now."""
    return (*plan.added, *plan.changed, *plan.back, *plan.gone)


@dataclass(frozen=True, slots=True)
class Written:
    """What is to be written: rows for tools that are new, and what the source says of each tool."""

    rows: Sequence[Tool]
    listed: Mapping[str, Definition]
    plan: Plan


def _write(server: Server, wanted: Written, by: User | None, accepted: Collection[str], tell: Tell) -> None:
    now, plan, listed = timezone.now(), wanted.plan, wanted.listed
    _add(wanted.rows, by, tell)
    for names in batched(plan.back):
        server.tools.filter(name__in=names).update(gone_at=None, updated_at=now)
    held = {name for name in plan.held if name not in accepted}
    put_in_force(server, {name: listed[name].upstream for name in plan.changed if name not in held}, by)
    hold(server, {name: listed[name].upstream for name in plan.changed if name in held}, plan.kinds)
    withdraw(server, [name for name in listed if name not in plan.changed and name not in plan.decided])
    for names in batched(plan.gone):
        server.tools.filter(name__in=names).update(gone_at=now, updated_at=now)
    server.tools.here().update(last_seen_at=now)
    server.synced_at, server.sync_problem = now, ""
    server.save(update_fields=["synced_at", "sync_problem"])  # its tools say themselves what was edited


def _add(rows: Sequence[Tool], by: User | None, tell: Tell) -> None:
    for done in range(0, len(rows), BATCH):
        batch = rows[done : done + BATCH]
        Tool.objects.bulk_create(batch)
        keep_versions(batch, by)
        tell(done + len(batch))


def _new_rows(
    server: Server, tools: Iterable[ListedTool], plan: Plan, listed: Mapping[str, Definition], suspicions: Found
) -> list[Tool]:
    now, new = timezone.now(), set(plan.added)
    return [
        Tool(
            server=server,
            name=tool.name,
            **listed[tool.name].upstream,
            capability=tool.capability,
            upstream_hash=listed[tool.name].digest,
            suspicions=suspicions.get(tool.name, []),
            search_text=tool.search_text,
            aliases=list(tool.aliases),
            enabled=tool.available,
            searchable=tool.searchable,
            platforms=list(tool.platforms),
            last_seen_at=now,
        )
        for tool in tools
        if tool.name in new
    ]
