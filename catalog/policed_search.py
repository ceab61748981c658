"""Searching under a policy: what it denies does not use up places, and is told as cut (M-35)."""

from collections.abc import Callable
from dataclasses import replace

from catalog.policy import Denial
from catalog.search.engine import Engine
from catalog.search.narrowing import narrowed
from catalog.search.ranking import Hit, Ranking
from catalog.tools import ToolSpec

DenialOf = Callable[[ToolSpec], Denial | None]


def permitted(whole: Ranking, most: int, denial_of: DenialOf) -> Ranking:
    """The best `most` hits that are not denied, of a ranking that returns all that match."""

    def refusal(hit: Hit) -> str:
        denial = denial_of(hit.tool)
        return f"policy: {denial.reason}" if denial else ""

    return narrowed(whole, most, refusal)


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

        found = permitted(self._engine.search(query, self._size, servers), limit, denial_of)
        return replace(found, matched=found.matched - len(denials))
