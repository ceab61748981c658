"""The gate: whether a change that is about to reach agents makes judged queries worse.

Taking a tool out of searches is never held where it acts at once: that may be for safety's sake.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.contrib.auth.models import User
from django.db.models import QuerySet

from catalog.generations import undone
from catalog.indexing import revision_of
from catalog.models import Catalog, Tool
from catalog.publishing.asking import published
from catalog.whatif.changes import publishing_change, tool_change, wanted_of
from catalog.whatif.edits import Wanted
from catalog.whatif.known import judged_of
from catalog.whatif.letting_in import letting_in
from catalog.whatif.looks import Look, finished, look_at
from catalog.whatif.rows import side_of, tools_with
from catalog.whatif.shifts import Shift
from catalog.whatif.under_way import Change
from catalog.whatif.verdicts import Held, Verdict, held_by, verdict_on

ACT_SECONDS = 15.0
"""As `MAX_SECONDS`, where a person waits for what they did."""


def held_edit(tool: Tool, by: User) -> Held | None:
    """Whether saving the tool as it stands here is held by a catalog whose changes reach agents at once."""
    if not (tool.enabled and tool.searchable):
        return None
    gated = acting_at_once().filter(servers__server=tool.server_id)
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
    return look_at(catalog, publishing_change(catalog, judged_of(catalog)), lambda: wanted_of(catalog))


def not_counted(catalog: Catalog, edit: str, worse: Sequence[Shift]) -> list[Shift] | None:
    """Of what an edit of the draft makes worse by itself, what the gate does not hold it for; None while it is being looked at."""
    if not is_gated(catalog):
        return None
    verdict = look_at_draft(catalog).verdict
    weighed = next((one for one in verdict.weighing.edits if one.edit.label == edit), None) if verdict else None
    if weighed is None:
        return None
    counted = {shift.query.text for shift in weighed.harmed}
    return [shift for shift in worse if shift.query.text not in counted]


def held_publishing(catalog: Catalog, by: User) -> Held | None:
    """Whether publishing the draft of a catalog is held."""
    if not is_gated(catalog):
        return None
    change = publishing_change(catalog, judged_of(catalog))
    return held_by([finished(catalog, change, lambda: wanted_of(catalog))], by)


def held_act(act: Callable[[], object], by: User) -> Held | None:
    """Whether what `act` does to rows is held by a catalog whose changes reach agents at once.

    It is done in a transaction that is undone again; what it does besides rows has to be left out.
    """
    before = [(catalog, _at_once(catalog)) for catalog in acting_at_once()]
    if not before:
        return None
    with undone():
        act()
        after = Catalog.objects.in_bulk([catalog.pk for catalog, _ in before])
        wanted = {pk: wanted_of(catalog) for pk, catalog in after.items()}
    verdicts = [
        verdict_on(catalog, change, keeping(change, wanted[catalog.pk]), ACT_SECONDS)
        for catalog, change in before
        if catalog.pk in wanted
    ]
    return held_by(verdicts, by)


def _at_once(catalog: Catalog) -> Change:
    """A change of which only what is before is known yet."""
    return Change("act", revision_of(catalog), judged_of(catalog), side_of(catalog), lambda side, folder: side)


def keeping(change: Change, wanted: Wanted) -> Wanted:
    """With the tools that would go or be hidden, as these are never held."""
    stay = {tool.key for tool in wanted.tools}
    going = (tool for tool in change.before.corpus.tools if tool.key not in stay)
    policy = letting_in(change.before, wanted)
    return replace(wanted, tools=(*wanted.tools, *going), policy=policy)


def with_gate() -> QuerySet[Catalog]:
    """Catalogs with a suite whose gate is not off."""
    return Catalog.objects.filter(suites__isnull=False).exclude(gate=Catalog.Gate.OFF).distinct()


def acting_at_once() -> QuerySet[Catalog]:
    """Those of them whose changes reach agents at once."""
    return with_gate().filter(publishes_itself=True)
