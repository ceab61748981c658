"""Where one tool stands in a ranking: returned, cut, further down than is told, or not matched; and which words it has."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from catalog.search.documents import FIELDS
from catalog.search.engine import Engine
from catalog.search.ranking import Hit, QueryWord, Ranking
from catalog.tools import ToolSpec

DEEP = 200
"""Hits that are asked for before all are: most tools that match stand among these."""
MAX_WORDS = 24
"""Words of a query that are asked for one by one."""

Outcome = Literal["problem", "returned", "cut", "further down", "untold", "unmatched"]


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word of the query, asked alone. `fields` are those of the tool that have it; `dropped` says why it was not asked."""

    text: str
    fields: tuple[str, ...] = ()
    dropped: str = ""
    is_had: bool = False

    @property
    def is_lacking(self) -> bool:
        return not self.is_had and not self.dropped


@dataclass(frozen=True, slots=True)
class Standing:
    """`hit` has the rank and the score, as far as the engine tells them; `least` is the score that had to be reached.

    `further down` is what shows only if the engine is asked for more; `untold` may match, beyond what it ever tells of.
    """

    outcome: Outcome
    hit: Hit | None = None
    by: str = ""
    least: float | None = None
    words: tuple[SoughtWord, ...] = ()

    @property
    def lacking(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words if word.is_lacking)


def standing_of(engine: Engine, ranking: Ranking, tool: ToolSpec, servers: frozenset[str] = frozenset()) -> Standing:
    """Where the tool stands in `ranking`, which the engine gave over `servers`."""
    if ranking.problem:
        return Standing("problem")
    if hit := _find(tool, ranking.hits):
        return Standing("returned", hit)
    words = _sought_words(engine, ranking, tool)
    for cut in ranking.cuts:
        if hit := _find(tool, cut.hits):
            return Standing("cut", hit, cut.by, cut.score if ranking.scored and not cut.refused else None, words)
    first = ranking.score_cut
    least = first.score if first and ranking.scored else None
    by = first.by if first else ""
    deepest = ranking
    for limit in dict.fromkeys((min(DEEP, ranking.matched), ranking.matched)):
        deepest = engine.search(ranking.reading.sent, limit, servers)
        if hit := _find(tool, deepest.every_hit()):
            return Standing("further down", hit, by, least, words)
    told = sum(1 for _ in deepest.every_hit())
    return Standing("untold" if told < ranking.matched else "unmatched", None, by, least, words)


def _find(tool: ToolSpec, hits: Iterable[Hit]) -> Hit | None:
    return next((hit for hit in hits if hit.tool.name == tool.name), None)


def _sought_words(engine: Engine, ranking: Ranking, tool: ToolSpec) -> tuple[SoughtWord, ...]:
    """A pattern has no words; of an answer that is not scored the words are names, and the tool's is none of them."""
    return tuple(_sought(engine, ranking, word, tool) for word in ranking.reading.words[:MAX_WORDS])


def _sought(engine: Engine, ranking: Ranking, word: QueryWord, tool: ToolSpec) -> SoughtWord:
    if word.dropped or not ranking.scored:
        return SoughtWord(word.text, dropped=word.dropped)
    found = engine.search(word.text, ranking.searched, frozenset({tool.server}))
    hit = _find(tool, found.every_hit())
    if hit is None:
        return SoughtWord(word.text)
    found_in = dict.fromkeys(part.field for part in hit.explanation.evidence())
    fields = tuple(field for field in found_in if field in FIELDS)
    return SoughtWord(word.text, fields, is_had=bool(fields) or "meaning" not in found_in)
