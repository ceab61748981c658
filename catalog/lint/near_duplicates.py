"""Two tools that read so much alike that neither a search nor a model can choose between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from catalog.lint.finding import Fact, Finding, digest
from catalog.lint.survey import Survey
from catalog.lint.telling_apart import Words, told_apart
from catalog.lint.tool_words import listed, terms_of, texts_of
from catalog.lint.vectors import alike, numbered, same, sparse
from catalog.tools import ToolSpec

WORDS_KEPT = 4_000
"""Tools whose words are kept while pairs are gone through, about 5 KB each."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tools by number, `here` before `there`, and the cosine of their words."""

    here: int
    there: int
    cosine: float


class _WordsByNumber:
    """The words of tools, those that were asked for last kept."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tools
        self._words = lru_cache(WORDS_KEPT)(self._cut)

    def cannot_tell(self, here: int, there: int) -> bool:
        """Two that have no description are another rule's."""
        described = self._tools[here].description or self._tools[there].description
        return bool(described) and not told_apart(self._words(here), self._words(there))

    def _cut(self, number: int) -> Words:
        return Words.of(self._tools[number])


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """`least`: the cosine of tf-idf weights from which two tools are held against each other. Below 0.8 pairs of public servers
    share a subject; from there on, what they do. `closest`: pairs told of one tool, since one edit often settles the rest.
    """

    slug: ClassVar[str] = "near-duplicate"
    title: ClassVar[str] = "Reads like another tool"
    alone: ClassVar[bool] = False
    least: float = 0.8
    closest: int = 3

    def look(self, survey: Survey) -> Iterator[Finding]:
        tools = [*survey.among]
        asked = {tool.key for tool in survey.tools}
        for pair in self.pairs(tools):
            here, there = tools[pair.here], tools[pair.there]
            if here.key in asked or there.key in asked:
                yield self._finding(here, there, pair.cosine)

    def pairs(self, tools: list[ToolSpec]) -> list[Pair]:
        """The closest pairs of each tool. Tools of the very same words are compared once, by the first of them."""
        documents = numbered(terms_of(tool) for tool in tools)
        groups = [group for group in same(documents) if len(documents[group[0]])]
        pairs = [Pair(group[0], other, 1.0) for group in groups for other in group[1:]]
        for a, b, cosine in alike(sparse([documents[group[0]] for group in groups]), self.least):
            here, there = sorted((groups[a][0], groups[b][0]))
            pairs.append(Pair(here, there, cosine))
        del documents
        words = _WordsByNumber(tools)
        pairs.sort(key=lambda pair: (pair.here, pair.there))
        return self._closest([pair for pair in pairs if words.cannot_tell(pair.here, pair.there)])

    def _closest(self, pairs: list[Pair]) -> list[Pair]:
        told: dict[int, int] = {}
        kept = []
        for pair in sorted(pairs, key=lambda pair: (-pair.cosine, pair.here, pair.there)):
            if min(told.get(pair.here, 0), told.get(pair.there, 0)) < self.closest:
                kept.append(pair)
                for number in (pair.here, pair.there):
                    told[number] = told.get(number, 0) + 1
        return kept

    def _finding(self, here: ToolSpec, there: ToolSpec, cosine: float) -> Finding:
        ours, theirs = Words.of(here), Words.of(there)
        only_here, only_there = ours.lacking(theirs), theirs.lacking(ours)
        shared = len(ours.all.keys() & theirs.all.keys())
        same = here.description and ours.description.keys() == theirs.description.keys()
        return Finding(
            rule=self.slug,
            tool=here.key,
            other=there.key,
            where="description",
            end=len(here.description),
            sentence=f"Its description has the words of that of {there.key}, no more and no fewer."
            if same
            else f"It reads like {there.key}, and what differs does not tell which to choose.",
            advice="If both do the same, keep one of them in a catalog. If not, say in each what the other is not for.",
            facts=(
                Fact("cosine of their words", f"{cosine:.2f}, told from {self.least:.2f}"),
                Fact("words in both", str(shared)),
                Fact("words only in the first", listed(only_here) or "none"),
                Fact("words only in the second", listed(only_there) or "none"),
            ),
            rests_on=digest(*texts_of(here), *texts_of(there)),
            only_here=only_here,
            only_there=only_there,
        )
