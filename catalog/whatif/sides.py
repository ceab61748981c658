"""A catalog as a search sees it before a change, and after."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from catalog.policed_search import permitted
from catalog.policy import ALLOW_ALL, Policy
from catalog.search.choosing import ChosenEngine
from catalog.search.engine import Corpus, edited
from catalog.search.orders import Order, order_in, order_of
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec

LIMIT = 10
"""Hits that each query is asked for: as deep as the figures look."""

Ask = Callable[[str], Order]


@dataclass(frozen=True, slots=True)
class Side:
    """What is asked: the tools with their index, the engine with its settings, and who may find what."""

    corpus: Corpus
    engine: ChosenEngine
    policy: Policy = ALLOW_ALL

    def asking(self) -> Ask:
        """The order of a query's hits. Raises UnreadableIndexError if the engine needs an index and there is none."""
        if self.policy.may_deny("search"):
            return lambda query: order_in(self.ranking(query))
        engine = self.engine.over(self.corpus)
        return lambda query: order_of(engine, query, LIMIT)

    def ranking(self, query: str) -> Ranking:
        """With every explanation."""
        engine = self.engine.over(self.corpus)
        if not self.policy.may_deny("search"):
            return engine.search(query, LIMIT)
        denial_of = partial(self.policy.denial, phase="search")
        return permitted(lambda most: engine.search(query, most), LIMIT, len(self.corpus.tools), denial_of)


def changed_tools(before: Side, after: Side) -> tuple[list[ToolSpec], list[ToolSpec]]:
    """The tools that differ, as they were and as they are; one that comes or goes is in one list only."""
    places = edited(before.corpus.tools, after.corpus.tools)
    if places is not None:
        return [before.corpus.tools[place] for place in places], [after.corpus.tools[place] for place in places]
    old = {tool.key: tool for tool in before.corpus.tools}
    new = {tool.key: tool for tool in after.corpus.tools}
    return (
        [tool for key, tool in old.items() if new.get(key) != tool],
        [tool for key, tool in new.items() if old.get(key) != tool],
    )
