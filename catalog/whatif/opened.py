"""One query of a what-if, asked on both sides with every explanation."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from catalog.search.ranking import Hit, Ranking
from catalog.whatif.under_way import Change


@dataclass(frozen=True, slots=True)
class Told:
    """A ranking of one side, its hits with those cut, and the hit of the tool that is explained, if it is told of."""

    title: str
    ranking: Ranking
    hits: Sequence[Hit]
    explained: Hit | None


@dataclass(frozen=True, slots=True)
class Opened:
    """`why` is the key of the tool that is explained."""

    query: str
    why: str
    sides: tuple[Told, Told]


def opened(change: Change, query: str, why: str) -> Opened:
    """Raises UnreadableIndexError."""
    with TemporaryDirectory(prefix="pegboard-what-if-") as folder:
        after = change.after(change.before, Path(folder) / "index")
        rankings = change.before.ranking(query), after.ranking(query)
    first = next((hit.tool.key for ranking in reversed(rankings) for hit in ranking.hits), "")
    titles = ("Before", "After")
    told = [_told(title, ranking, why or first) for title, ranking in zip(titles, rankings, strict=True)]
    return Opened(query, why or first, (told[0], told[1]))


def _told(title: str, ranking: Ranking, why: str) -> Told:
    hits = list(ranking.every_hit())
    return Told(title, ranking, hits, next((hit for hit in hits if hit.tool.key == why), None))
