"""The queries that models searched a catalog with, those of the same words as one."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from catalog.models import Catalog
from playground.models import RunSearch

MOST_SEARCHES = 50_000
"""The latest searches that are read."""
MOST_RUNS = 50
"""Runs that are named for each query, the latest."""


@dataclass(frozen=True, slots=True)
class RecordedQuery:
    """`text` is the wording used most often. `led_to` counts, by key (`server/name`), the tools that in the end were called for it.

    `words` names the group; `wordings` are all texts of it, `runs` the latest that asked it, `latest` the row of the last search.
    """

    text: str
    times: int
    last: datetime
    led_to: dict[str, int] = field(hash=False)
    runs: tuple[UUID, ...]
    words: str
    wordings: tuple[str, ...]
    latest: int = 0


class Asked(NamedTuple):
    """One search, as it is counted."""

    text: str
    at: datetime
    called: str
    run: UUID
    pk: int


def asked_with(catalog: Catalog, words: str, since: datetime | None) -> QuerySet[RunSearch]:
    """The searches with these words, the latest first."""
    return _searches(catalog, since).filter(words=words).select_related("run").order_by("-at", "-pk")


def recorded_queries(catalog: Catalog, since: datetime | None = None) -> Sequence[RecordedQuery]:
    """Of runs of the catalog that ended, those asked most often first. Runs are read some seconds after their end."""
    rows = _searches(catalog, since)
    fields = ("words", "text", "at", "called", "run_id", "pk")
    groups: dict[str, list[Asked]] = defaultdict(list)
    for words, *rest in rows.order_by("-at", "-pk").values_list(*fields)[:MOST_SEARCHES].iterator():
        groups[words].append(Asked(*rest))
    found = (_query(words, asked) for words, asked in groups.items())
    return sorted(found, key=lambda query: (-query.times, -query.last.timestamp(), query.words))


def _searches(catalog: Catalog, since: datetime | None) -> QuerySet[RunSearch]:
    rows = RunSearch.objects.filter(run__catalog=catalog)
    return rows if since is None else rows.filter(at__gte=since)


def _query(words: str, asked: list[Asked]) -> RecordedQuery:
    """`asked` is newest first, which decides where wordings are as common as each other."""
    wordings = Counter(one.text for one in asked)
    led_to = Counter(one.called for one in asked if one.called)
    runs = tuple(dict.fromkeys(one.run for one in asked))[:MOST_RUNS]
    by_use = tuple(text for text, _ in wordings.most_common())
    return RecordedQuery(
        by_use[0], len(asked), asked[0].at, dict(led_to.most_common()), runs, words, by_use, asked[0].pk
    )
