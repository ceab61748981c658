"""Queries that an edit cannot touch: those of engines that score a tool by that tool alone, where its score stays."""

from collections.abc import Callable, Sequence

from catalog.search.engine import Corpus, edited
from catalog.tools import ToolSpec
from catalog.whatif.sides import Side

SCORED_ALONE = frozenset({"like", "eino-keyword", "eino-regex"})
"""Engines that count nothing over other tools: neither how many have a word, nor how long their texts are."""

Untouched = Callable[[str], bool]


def untouched_by(before: Side, after: Side) -> Untouched:
    """Whether a query answers as before, as far as that can be told without asking it of all tools."""
    places = edited(before.corpus.tools, after.corpus.tools)
    if before.engine != after.engine or before.engine.slug not in SCORED_ALONE or places is None:
        return lambda query: False
    old = _scores(before, [before.corpus.tools[place] for place in sorted(places)])
    new = _scores(after, [after.corpus.tools[place] for place in sorted(places)])
    return lambda query: old(query) == new(query)


def _scores(side: Side, tools: Sequence[ToolSpec]) -> Callable[[str], list[tuple[str, float]]]:
    engine = side.engine.over(Corpus(tuple(tools), side.corpus.index))
    return lambda query: [(hit.tool.key, hit.score) for hit in engine.search(query, len(tools)).hits]
