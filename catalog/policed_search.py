"""Searching under a policy: what it denies does not use up places, and is told as cut (M-35)."""

from collections.abc import Callable
from dataclasses import replace

from catalog.policy import Denial
from catalog.search.engine import Engine
from catalog.search.narrowing import narrowed
from catalog.search.ranking import Hit, Ranking
from catalog.tools import ToolSpec

SPARE = 50
"""Hits that are asked for beyond those wanted, before many more are."""
GROWTH = 8

DenialOf = Callable[[ToolSpec], Denial | None]


def permitted(search: Callable[[int], Ranking], most: int, size: int, denial_of: DenialOf) -> Ranking:
    """The best `most` hits that are not denied, of `size` tools. `search` is asked for as many as that takes."""
    known: dict[str, str] = {}

    def refusal(hit: Hit) -> str:
        if hit.tool.name not in known:
            denial = denial_of(hit.tool)
            known[hit.tool.name] = f"{denial.by}: {denial.reason}" if denial else ""
        return known[hit.tool.name]

    room = most + SPARE
    while True:
        found = search(min(room, size))
        told = narrowed(_without_its_end(found, min(room, size)), most, refusal)
        if len(told.hits) >= most or len(found.hits) < room or room >= size:
            return told
        room *= GROWTH


def _without_its_end(found: Ranking, limit: int) -> Ranking:
    """The ranking without what is told of those beyond the limit: another limit was meant."""
    return replace(found, cuts=tuple(cut for cut in found.cuts if cut.by != f"top-k {limit}"))


class PolicedEngine:
    """An engine that returns nothing denied, and counts nothing denied that it met as a match."""

    def __init__(self, engine: Engine, size: int, denial_of: DenialOf) -> None:
        """`size` is the number of tools that the engine searches."""
        self._engine, self._size, self._denial_of = engine, size, denial_of
        self.slug, self.title, self.query_help = engine.slug, engine.title, engine.query_help

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        denials: list[Denial] = []

        def denial_of(tool: ToolSpec) -> Denial | None:
            denial = self._denial_of(tool)
            denials.extend([denial] if denial else [])
            return denial

        found = permitted(lambda most: self._engine.search(query, most, servers), limit, self._size, denial_of)
        return replace(found, matched=found.matched - len(denials))
