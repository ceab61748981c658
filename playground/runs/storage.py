"""What recorded runs take up: in the database by catalog, and on disk."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Min, Sum, TextField
from django.db.models.functions import Cast, Length

from playground.models import Run, RunEvent, RunExchange


@dataclass(frozen=True, slots=True)
class Share:
    """Of the runs of one catalog; `slug` and `title` are empty where it was deleted. Characters are those of the events' JSON,
    `exchanges` those of what was sent to models and received.
    """

    slug: str
    title: str
    runs: int
    events: int
    characters: int
    exchanges: int
    oldest: datetime

    @property
    def whole(self) -> int:
        return self.characters + self.exchanges


@dataclass(frozen=True)
class StorageUse:
    """Of all runs. `outputs` are the bytes of the large outputs that are kept on disk."""

    shares: tuple[Share, ...]
    outputs: int

    @cached_property
    def runs(self) -> int:
        return sum(share.runs for share in self.shares)

    @cached_property
    def events(self) -> int:
        return sum(share.events for share in self.shares)

    @cached_property
    def characters(self) -> int:
        return sum(share.characters for share in self.shares)

    @cached_property
    def exchanges(self) -> int:
        return sum(share.exchanges for share in self.shares)

    @property
    def oldest(self) -> datetime | None:
        return min((share.oldest for share in self.shares), default=None)


def storage_use() -> StorageUse:
    """Reads every event and exchange once."""
    length = Length(Cast("body", TextField()))
    sums = RunEvent.objects.order_by().values_list("run__catalog").annotate(Count("pk"), characters=Sum(length))
    sizes = {catalog: (events, characters) for catalog, events, characters in sums}
    rows = RunExchange.objects.order_by().values_list("run__catalog")
    lengths = Length(Cast("sent", TextField())) + Length(Cast("received", TextField()))
    exchanges = dict(rows.annotate(characters=Sum(lengths, default=0)))
    runs = Run.objects.order_by().values("catalog", "catalog__slug", "catalog__title")
    shares = [
        Share(
            row["catalog__slug"] or "",
            row["catalog__title"] or "",
            row["number"],
            *sizes.get(row["catalog"], (0, 0)),
            exchanges.get(row["catalog"], 0),
            row["oldest"],
        )
        for row in runs.annotate(number=Count("pk"), oldest=Min("created_at"))
    ]
    shares.sort(key=lambda share: -share.whole)
    return StorageUse(tuple(shares), sum(file.stat().st_size for file in _outputs(settings.PEGBOARD_OUTPUT_DIR)))


def _outputs(root: Path) -> Iterator[Path]:
    yield from (file for file in root.rglob("*") if file.is_file()) if root.is_dir() else ()
