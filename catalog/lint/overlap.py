"""How much the texts of two tools overlap: the cosine that near duplicates are told by, and the words that it is made of."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from catalog.lint.telling_apart import Words, told_apart
from catalog.lint.tool_words import all_written, terms_of
from catalog.lint.vectors import rarity, weight
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Shared:
    """A word that both have, and its part of the cosine."""

    word: str
    part: float


@dataclass(frozen=True, slots=True)
class Overlap:
    """`shared` add up to the cosine, the heaviest first. `only_here` and `only_there` are what each says and the other does not.

    `told_apart`: a reader of names and descriptions can choose between them, as the lint sees it.
    """

    cosine: float
    shared: tuple[Shared, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    told_apart: bool


class Overlaps:
    """Of the tools of one catalog, whose number and texts say how rare each word is. Asked of those alone."""

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self._tools = tuple(tools)
        self._weights: dict[str, Mapping[str, float]] = {}

    def of(self, here: ToolSpec, there: ToolSpec) -> Overlap:
        ours, theirs = self._vector(here), self._vector(there)
        written = all_written(here)
        parts = ((term, ours[term] * theirs[term]) for term in ours.keys() & theirs.keys())
        shared = sorted(
            (Shared(written.get(term, term), part) for term, part in parts), key=lambda one: (-one.part, one.word)
        )
        words, others = Words.of(here), Words.of(there)
        cosine = min(1.0, sum(one.part for one in shared))
        return Overlap(cosine, tuple(shared), words.lacking(others), others.lacking(words), told_apart(words, others))

    @cached_property
    def _held(self) -> Counter[str]:
        """How many tools have each term."""
        return Counter(term for tool in self._tools for term in set(terms_of(tool)))

    def _vector(self, tool: ToolSpec) -> Mapping[str, float]:
        if tool.key not in self._weights:
            counts = Counter(terms_of(tool))
            weights = {
                term: weight(count, rarity(self._held[term], len(self._tools))) for term, count in counts.items()
            }
            length = sum(part * part for part in weights.values()) ** 0.5 or 1.0
            self._weights[tool.key] = {term: part / length for term, part in weights.items()}
        return self._weights[tool.key]
