"""Reading servers again by themselves, as often as their curators said. What changes meaning waits for a person."""

import asyncio
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalog import background
from catalog.auditing.recording import Act, record
from catalog.contacting import read_tools
from catalog.importing import import_listing, told
from catalog.models import Import, Server
from catalog.planning import Plan
from catalog.repeating import repeat
from catalog.sources.listing import SourceError

LOOK_EVERY = 30.0
"""Seconds between two looks at which servers are due."""
SOURCE = "the server itself, by schedule"
TOLD_SOURCE = "the server itself, which said that its tools changed"


def claim_due(now: datetime) -> list[Server]:
    """The servers whose time has come; each is given to one process, which has to sync it."""
    reached = Server.objects.filter(sync_every__gt=0).exclude(transport=Server.Transport.NONE)
    claimed = []
    for server in reached:
        tried = max(filter(None, [server.sync_tried_at, server.synced_at]), default=None)
        if not server.may_be_read or (tried and tried + timedelta(minutes=server.sync_every) > now):
            continue
        same = Q(sync_tried_at=server.sync_tried_at) if server.sync_tried_at else Q(sync_tried_at__isnull=True)
        if Server.objects.filter(same, pk=server.pk).update(sync_tried_at=now):
            claimed.append(server)
    return claimed


def sync(server: Server, source: str = SOURCE) -> None:
    """Ask the server for its tools and apply what it answers. An import tells of it where something changed or failed."""
    try:
        listing = read_tools(server)
        if not listing.tools:
            raise SourceError("It answered with no tool, so everything was left as it is.")
    except SourceError as problem:
        _tell_failure(server, str(problem), source)
        return
    with transaction.atomic():
        plan = import_listing(server, listing)
        if not plan.is_empty:
            _keep(server, plan, source, len(listing.tools))


def _keep(server: Server, plan: Plan, source: str, total: int) -> None:
    state, now = Import.State.APPLIED, timezone.now()
    row = Import.objects.create(server=server, source=source, state=state, plan=asdict(plan), total=total, ended_at=now)
    record(Act.IMPORT_APPLIED, server, after={"import": row.pk, "source": source, **told(plan)})


def sync_told(server: int) -> None:
    """Read a server, by its key, that said that what it offers has changed; one that is off or gone is left alone."""
    found = Server.objects.filter(pk=server).first()
    if found and found.may_be_read:
        sync(found, TOLD_SOURCE)


async def keep_syncing() -> None:
    """As long as the process serves."""
    await repeat(_sync_due, LOOK_EVERY, "servers that are due could not be looked up")


async def _sync_due() -> None:
    for server in await asyncio.to_thread(_claim_now):
        background.submit(partial(sync, server))


def _claim_now() -> list[Server]:
    return claim_due(timezone.now())


def _tell_failure(server: Server, problem: str, source: str) -> None:
    """An import a failure, unless the one before failed alike: a server that is down all night is told once."""
    fresh = Server.objects.filter(pk=server.pk).exclude(sync_problem=problem).update(sync_problem=problem)
    if fresh:
        now = timezone.now()
        state = Import.State.FAILED
        Import.objects.create(server=server, source=source, state=state, error=problem, ended_at=now)
