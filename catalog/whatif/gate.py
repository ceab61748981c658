"""The gate: whether a change that is about to reach agents makes judged queries worse.

Taking a tool out of searches is never held where it acts at once: that may be for safety's sake.
"""

from collections.abc import Callable
from dataclasses import replace

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalog.exposing import CatalogRows, read_rows, seen_of
from catalog.generations import generation_of
from catalog.indexing import revision_of
from catalog.models import Catalog, Tool
from catalog.policy_rows import policy_to_try
from catalog.publishing.asking import published
from catalog.whatif.changes import publishing_change, tool_change, wanted_of
from catalog.whatif.edits import Wanted
from catalog.whatif.known import judged_of
from catalog.whatif.looks import Look, finished, look_at
from catalog.whatif.rows import engine_of, side_of, tools_with
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import Held, Verdict, held_by, verdict_on


def held_edit(tool: Tool, by: User) -> Held | None:
    """Whether saving the tool as it stands here is held by a catalog whose changes reach agents at once."""
    if not (tool.enabled and tool.searchable):
        return None
    gated = _acting_at_once().filter(servers__server=tool.server_id)
    return held_by([_on_edit(catalog, tool) for catalog in gated], by)


def _on_edit(catalog: Catalog, tool: Tool) -> Verdict:
    change = replace(tool_change(catalog, tool), queries=judged_of(catalog))
    side = change.before
    return verdict_on(catalog, change, Wanted(tools_with(catalog, tool), side.engine, side.policy))


def is_gated(catalog: Catalog) -> bool:
    """Whether publishing its draft asks judged queries. Where nothing was published yet, nothing can get worse."""
    return catalog.gate != Catalog.Gate.OFF and not published(catalog).is_live and bool(judged_of(catalog))


def look_at_draft(catalog: Catalog) -> Look:
    """What publishing the draft of a gated catalog does, which is worked out in the background."""
    return look_at(catalog, publishing_change(catalog, judged_of(catalog)), wanted_of(catalog))


def held_publishing(catalog: Catalog, by: User) -> Held | None:
    """Whether publishing the draft of a catalog is held."""
    if not is_gated(catalog):
        return None
    return held_by([finished(catalog, publishing_change(catalog, judged_of(catalog)), wanted_of(catalog))], by)


def held_act(act: Callable[[], object], by: User) -> Held | None:
    """Whether what `act` does to rows is held by a catalog whose changes reach agents at once.

    It is done in a transaction that is undone again; what it does besides rows has to be left out.
    """
    before = [(catalog, generation_of(catalog).read, _at_once(catalog)) for catalog in _acting_at_once()]
    if not before:
        return None
    with transaction.atomic():
        act()
        wanted = [_wanted(Catalog.objects.get(pk=catalog.pk), read) for catalog, read, _ in before]
        transaction.set_rollback(True)
    verdicts = (
        verdict_on(catalog, change, _keeping(change, then))
        for (catalog, _, change), then in zip(before, wanted, strict=True)
    )
    return held_by([verdict for verdict in verdicts if verdict.weighing.total], by)


def _at_once(catalog: Catalog) -> Change:
    """A change of which only what is before is known yet."""
    return Change("act", revision_of(catalog), judged_of(catalog), side_of(catalog), lambda side, folder: side)


def _wanted(catalog: Catalog, before: CatalogRows) -> Wanted:
    """As the rows are now, of which nothing is kept."""
    read = read_rows(catalog, seen_of(catalog), before)
    return Wanted(read.exposure.pool.searchable, engine_of(catalog), policy_to_try(catalog))


def _keeping(change: Change, wanted: Wanted) -> Wanted:
    """With the tools that would go, as these are never held."""
    stay = {tool.key for tool in wanted.tools}
    going = (tool for tool in change.before.corpus.tools if tool.key not in stay)
    return replace(wanted, tools=(*wanted.tools, *going))


def _acting_at_once() -> QuerySet[Catalog]:
    rows = Catalog.objects.filter(publishes_itself=True, suites__isnull=False)
    return rows.exclude(gate=Catalog.Gate.OFF).distinct()
