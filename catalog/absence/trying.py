"""Trying steps: the engine is asked the same query again, over the catalog as it would be after them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from time import monotonic

from catalog.absence.offering import Offering
from catalog.absence.steps import Step, take
from catalog.policed_search import permitted
from catalog.policy import ALLOW_ALL, Policy
from catalog.search.choosing import ChosenEngine
from catalog.search.engine import Corpus
from catalog.search.ranking import Ranking
from catalog.search.standing import Standing, standing_of
from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec

MAX_TRIALS = 12
MAX_SECONDS = 8.0
"""Seconds after which no further trial is begun."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A search: the engine, the query, how many hits, and of which servers."""

    engine: ChosenEngine
    query: str
    limit: int
    servers: frozenset[str] = frozenset()

    def of(self, corpus: Corpus, policy: Policy = ALLOW_ALL) -> Ranking:
        engine = self.engine.over(corpus)
        if not policy.may_deny("search"):
            return engine.search(self.query, self.limit, self.servers)
        denial_of = partial(policy.denial, phase="search")
        return permitted(
            lambda most: engine.search(self.query, most, self.servers), self.limit, len(corpus.tools), denial_of
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """What the search answers after the steps, and what of the tool: None where the catalog still leaves it out."""

    steps: tuple[Step, ...]
    corpus: Corpus
    ranking: Ranking
    tool: ToolSpec | None
    policy: Policy

    @property
    def rank(self) -> int | None:
        """The rank at which the tool is returned, if it is."""
        return rank_in(self.ranking, self.tool)

    @property
    def score(self) -> float:
        """As far as the ranking tells it; 0 if it does not."""
        return next((hit.score for hit in self.ranking.every_hit() if hit.tool == self.tool), 0.0)


def rank_in(ranking: Ranking, tool: ToolSpec | None) -> int | None:
    """The rank at which a tool of the ranking's corpus is returned, if it is."""
    return next((hit.rank for hit in ranking.hits if hit.tool == tool), None)


class Trials:
    """Steps are tried each on a copy of its own in `folder`, and none twice. Raises UnreadableIndexError."""

    def __init__(self, asked: Asked, corpus: Corpus, offering: Offering, key: str, folder: Path) -> None:
        self.asked, self._corpus, self._offering, self._key, self._folder = asked, corpus, offering, key, folder
        self._made: dict[tuple[Step, ...], Trial] = {}
        self._end = monotonic() + MAX_SECONDS

    @property
    def made(self) -> list[Trial]:
        """In the order in which they were made."""
        return list(self._made.values())

    @property
    def count(self) -> int:
        """How many changes were tried."""
        return sum(1 for trial in self.made if trial.steps)

    @property
    def is_over(self) -> bool:
        """Whether no further trial may begin."""
        return self.count >= MAX_TRIALS or monotonic() > self._end

    def of(self, steps: Sequence[Step]) -> Trial:
        kept = tuple(steps)
        if kept not in self._made:
            self._made[kept] = self._try(kept)
        return self._made[kept]

    def standing(self, trial: Trial) -> Standing | None:
        """Where the tool stands after the trial's steps; None where the catalog still leaves it out."""
        engine = self.asked.engine.over(trial.corpus)
        return standing_of(engine, trial.ranking, trial.tool, self.asked.servers) if trial.tool else None

    def _try(self, steps: tuple[Step, ...]) -> Trial:
        offering = reduce(lambda before, step: take(step, before, self._key), steps, self._offering)
        tools = offering.exposure().pool.searchable
        corpus = changed_corpus(self._corpus, tools, self._folder / str(len(self._made)))
        tool = next((tool for tool in tools if tool.key == self._key), None)
        return Trial(steps, corpus, self.asked.of(corpus, offering.policy), tool, offering.policy)
