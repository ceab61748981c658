"""The trails of a catalog's recorded runs, read from their events. Those of runs that ended are kept in memory."""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from uuid import UUID

from catalog.models import Catalog, Server
from playground.models import Run, RunEvent
from playground.reviewing.keys import ToolKeys
from playground.reviewing.trails import KINDS, Trail, trail_of
from playground.runs.state import Recorded
from playground.runs.stored import from_row

MOST_RUNS = 400
"""The latest runs that a page rests on."""
MOST_KEPT = 2_000
AT_ONCE = 40
Names = tuple[tuple[str, str], ...]
_kept: OrderedDict[tuple[UUID, Names], Trail] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class RunTrail:
    run: Run
    trail: Trail


def run_trails(catalog: Catalog, since: datetime | None) -> list[RunTrail]:
    """Of the latest runs that completed here, the oldest first; the runs of agents called within others among them."""
    found = Run.objects.own().filter(catalog=catalog, status=Run.Status.COMPLETED)
    if since is not None:
        found = found.filter(created_at__gte=since)
    runs = list(found.order_by("-created_at")[:MOST_RUNS])[::-1]
    names = tuple(Server.objects.order_by("slug").values_list("slug", "name_rule"))
    keys = ToolKeys()
    for start in range(0, len(runs), AT_ONCE):
        _read([run.pk for run in runs[start : start + AT_ONCE]], names, keys)
    with _lock:
        return [RunTrail(run, trail) for run in runs if (trail := _kept.get((run.pk, names))) is not None]


def _read(runs: Sequence[UUID], names: Names, keys: ToolKeys) -> None:
    """Those that are not kept yet."""
    missing = [run for run in runs if (run, names) not in _kept]
    events: dict[UUID, list[Recorded]] = defaultdict(list)
    rows = RunEvent.objects.filter(run__in=missing, kind__in=[kind.kind for kind in KINDS]).order_by("run", "seq")
    for run, seq, at, kind, body in rows.values_list("run_id", "seq", "at", "kind", "body"):
        events[run].append(Recorded(seq, at, from_row(kind, body)))
    with _lock:
        for run in missing:
            _kept[run, names] = trail_of(events[run], keys.key_of)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
