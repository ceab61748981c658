"""The rankings of several engines for one query, in lanes: each compared with the first, and joined with the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalog.search.agreement import Overlap, overlap_of
from catalog.search.choosing import ChosenEngine
from catalog.search.ranking import Hit, Ranking
from catalog.tools import ToolSpec

LONG_NAME = 44
"""Characters of a name that fit into two lines of the narrowest lane."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A hit in its lane. `key` is the same for the same tool in every lane; `before` is its rank in the first lane."""

    hit: Hit
    key: str
    before: int | None

    @property
    def rise(self) -> int:
        """How many ranks higher than in the first lane; 0 where that lane has it not."""
        return self.before - self.hit.rank if self.before else 0

    @property
    def fall(self) -> int:
        return -self.rise


@dataclass(frozen=True, slots=True)
class Gone:
    """A tool of the first lane that this one does not return; `cut` is the hit that a cut keeps of it."""

    tool: ToolSpec
    key: str
    before: int
    cut: Hit | None
    by: str


@dataclass(frozen=True, slots=True)
class Join:
    """The same tool in two neighbouring lanes, by its rows counted from 0."""

    key: str
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Lane:
    """`overlap` is the agreement with the first lane; None for that lane itself, and where both are empty."""

    engine: ChosenEngine
    ranking: Ranking
    stands: tuple[Stand, ...]
    gone: tuple[Gone, ...]
    overlap: Overlap | None

    @property
    def title(self) -> str:
        return self.engine.kind.title

    def hit_of(self, name: str) -> Hit | None:
        """What the ranking tells of a tool, returned or cut."""
        return next((hit for hit in self.ranking.every_hit() if hit.tool.name == name), None)


@dataclass(frozen=True)
class Comparison:
    lanes: tuple[Lane, ...]

    @cached_property
    def height(self) -> int:
        """Rows that every lane takes."""
        return max((len(lane.stands) for lane in self.lanes), default=0)

    @cached_property
    def has_long_names(self) -> bool:
        """Whether a row must hold more than two lines."""
        return any(len(stand.hit.tool.upstream_name) > LONG_NAME for lane in self.lanes for stand in lane.stands)

    @cached_property
    def joins(self) -> list[list[Join]]:
        """Between each lane and the next."""
        return [list(_joins(left, right)) for left, right in zip(self.lanes, self.lanes[1:], strict=False)]

    @cached_property
    def returned(self) -> set[str]:
        """The names that any lane returns."""
        return set().union(*map(_names, self.lanes))

    @cached_property
    def in_all(self) -> set[str]:
        return set.intersection(*(set(_names(lane)) for lane in self.lanes))

    @cached_property
    def firsts(self) -> int:
        """In how many lanes the tool stands first that stands first in the first lane."""
        tops = [names[0] if (names := _names(lane)) else "" for lane in self.lanes]
        return tops.count(tops[0]) if tops[0] else 0


def compare(asked: Sequence[tuple[ChosenEngine, Ranking]]) -> Comparison:
    """The lanes in the order given, the first of them the one that the others are compared with."""
    names = [hit.tool.name for _, ranking in asked for hit in ranking.every_hit()]
    keys = {name: f"tool-{number}" for number, name in enumerate(dict.fromkeys(names))}
    lead = asked[0][1]
    return Comparison(tuple(_lane(engine, ranking, lead, keys) for engine, ranking in asked))


def _lane(engine: ChosenEngine, ranking: Ranking, lead: Ranking, keys: dict[str, str]) -> Lane:
    before = _ranks(lead)
    stands = tuple(Stand(hit, keys[hit.tool.name], before.get(hit.tool.name)) for hit in ranking.hits)
    overlap = None if ranking is lead else overlap_of(list(before), list(_ranks(ranking)))
    return Lane(engine, ranking, stands, tuple(_gone(ranking, lead, keys)), overlap)


def _gone(ranking: Ranking, lead: Ranking, keys: dict[str, str]) -> Iterator[Gone]:
    here = _ranks(ranking)
    cut = {hit.tool.name: (hit, cut.by) for cut in ranking.cuts for hit in cut.hits}
    for name, rank in _ranks(lead).items():
        if name not in here:
            yield Gone(lead.hits[rank - 1].tool, keys[name], rank, *cut.get(name, (None, "")))


def _ranks(ranking: Ranking) -> dict[str, int]:
    """Each name that is returned with its rank; a tool that a query names twice counts where it stands first."""
    ranks: dict[str, int] = {}
    for hit in ranking.hits:
        ranks.setdefault(hit.tool.name, hit.rank)
    return ranks


def _names(lane: Lane) -> list[str]:
    return list(_ranks(lane.ranking))


def _joins(left: Lane, right: Lane) -> Iterator[Join]:
    rows = _rows(right)
    for key, row in _rows(left).items():
        if key in rows:
            yield Join(key, row, rows[key])


def _rows(lane: Lane) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, stand in enumerate(lane.stands):
        rows.setdefault(stand.key, row)
    return rows
