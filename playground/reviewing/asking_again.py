"""Recorded searches asked again of an edition, without a model: which of them still find the tool that was called in the end."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from catalog.models import Catalog
from playground.models import RunSearch
from playground.reviewing.agents_search import AgentsSearch, context_key

LEAST_K = 5
MOST_SEARCHES = 20_000
"""The latest searches that are asked again."""
Change = Literal["misses now", "found now", "lower", "higher", "same", "missed still"]
CHANGES: tuple[Change, ...] = ("misses now", "lower", "found now", "higher", "missed still", "same")


@dataclass(frozen=True, slots=True)
class Asked:
    """Searches with this text, in requests of this context, that led to this tool (key), `times` of them.

    `was` is the tool's rank among the hits that the latest of them returned, None where it was not; `k` is how many hits count.
    """

    text: str
    words: str
    context: str
    called: str
    was: int | None
    k: int
    times: int
    run: UUID
    seq: int


@dataclass(frozen=True, slots=True)
class Compared:
    """The same with the rank that the tool has now among the first `k` hits. `name` is what models call it now, empty if it is gone."""

    asked: Asked
    is_now: int | None
    name: str

    @property
    def change(self) -> Change:
        was, now = self.asked.was, self.is_now
        if was is None or now is None:
            return "missed still" if was == now else "misses now" if now is None else "found now"
        return "same" if was == now else "lower" if now > was else "higher"


@dataclass
class AskedAgain:
    """How far asking has come: what is `done` is added to while a thread works. Told as a whole at any time."""

    asked: tuple[Asked, ...]
    done: list[Compared] = field(default_factory=list)
    problem: str = ""

    @property
    def is_over(self) -> bool:
        return bool(self.problem) or len(self.done) == len(self.asked)

    @property
    def searches(self) -> int:
        return sum(one.times for one in self.asked)

    def counted(self) -> list[tuple[Change, int]]:
        """How many searches each change holds for, worst first; only those there are."""
        done = list(self.done)
        counts = [(change, sum(one.asked.times for one in done if one.change == change)) for change in CHANGES]
        return [(change, times) for change, times in counts if times]

    def of(self, change: str) -> list[Compared]:
        """Those of one change, or all but those that stayed the same; most searches first."""
        wanted = [one for one in list(self.done) if (one.change == change if change else one.change != "same")]
        return sorted(wanted, key=lambda one: (CHANGES.index(one.change), -one.asked.times, one.asked.text))


def asked_before(catalog: Catalog, since: datetime | None) -> tuple[Asked, ...]:
    """The recorded searches that led to a call in the end, each text, context and tool once, those asked most often first."""
    rows = RunSearch.objects.filter(run__catalog=catalog).exclude(called="")
    if since is not None:
        rows = rows.filter(at__gte=since)
    found: dict[tuple[str, str, str], Asked] = {}
    for row in rows.select_related("run").order_by("-at", "-pk")[:MOST_SEARCHES].iterator():
        key = row.text, context_key(row.run.context), row.called
        before = found.get(key)
        found[key] = replace(before, times=before.times + 1) if before else _first(row)
    return tuple(sorted(found.values(), key=lambda one: (-one.times, one.text)))


def compare(asked: Iterable[Asked], search: AgentsSearch, names: dict[str, str]) -> Iterator[Compared]:
    """`names` are those of the edition's tools, by key."""
    for one in asked:
        ranking = search(one.text, one.k, one.context)
        rank = next((hit.rank for hit in ranking.hits if hit.tool.key == one.called), None)
        yield Compared(one, rank, names.get(one.called, ""))


def _first(row: RunSearch) -> Asked:
    was = row.returned.index(row.called) + 1 if row.called in row.returned else None
    told = row.text, row.words, context_key(row.run.context), row.called
    return Asked(*told, was, max(len(row.returned), LEAST_K), 1, row.run_id, row.seq)
