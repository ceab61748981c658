"""What a search found: hits in order, what was cut and by what, and how the query was read."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.search.explanation import Explanation
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the query as sent, and the index terms that it became; `dropped` says why, where there are none.

    `unknown` is a word that no tool has, and `near` the tools' word that may have been meant.
    """

    text: str
    terms: tuple[str, ...] = ()
    dropped: str = ""
    unknown: bool = False
    near: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A query said in another way, what it counts beside the others, and how it came about: `as sent`, `stripped`, …"""

    text: str
    weight: float
    why: str


@dataclass(frozen=True, slots=True)
class QueryReading:
    """A query on its way to the tools: as sent, as words, and what was asked in the end, which may be an RE2 pattern.

    `variants` are what a fusion asked side by side.
    """

    sent: str
    words: tuple[QueryWord, ...] = ()
    final: str = ""
    is_pattern: bool = False
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A tool that matched. `rank` counts from 1 over kept and cut hits alike."""

    rank: int
    tool: ToolSpec
    explanation: Explanation

    @property
    def score(self) -> float:
        return self.explanation.value


@dataclass(frozen=True, slots=True)
class Cut:
    """Hits that matched and were not returned. `by` names the cut (`top-k 5`, `minScore 2`), `score` is what they had to reach.

    `refused`: no score would have done; `by` says who kept them out.
    """

    by: str
    score: float
    hits: tuple[Hit, ...]
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answer of one engine to one query over `searched` tools.

    `matched` counts every tool that matched, shown or cut; `notes` are said to the reader (`the fuzzy fallback was used`);
    `problem` is set when the query could not be run at all, and then there are no hits. Where it is not `scored`, the hits
    stand in catalog order and their values say nothing.
    """

    engine: str
    reading: QueryReading
    hits: tuple[Hit, ...] = ()
    cuts: tuple[Cut, ...] = ()
    matched: int = 0
    searched: int = 0
    scored: bool = True
    notes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def best_score(self) -> float:
        """The best score that no cut was too high for: the scale of the bars on a page."""
        return max((hit.score for hit in self.uncut), default=0.0)

    @property
    def uncut(self) -> tuple[Hit, ...]:
        """The hits that are returned, and those that would be if nobody had refused them."""
        return (*self.hits, *(hit for cut in self.cuts if cut.refused for hit in cut.hits))

    @property
    def score_cut(self) -> Cut | None:
        """The first cut that a score decided."""
        return next((cut for cut in self.cuts if not cut.refused), None)

    @property
    def held_back(self) -> int:
        """How many tools match and are not returned."""
        return self.matched - len(self.hits)

    def every_hit(self) -> Iterator[Hit]:
        yield from self.hits
        for cut in self.cuts:
            yield from cut.hits
