"""Ranking by meaning alone: the cosine between the vector of a query and that of each tool."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation, fact
from catalog.search.meaning import similarities
from catalog.search.ranking import QueryReading, QueryWord, Ranking
from catalog.search.reading import MAX_LENGTH, limit_notes
from catalog.search.scope import Scope
from catalog.search.settings import TypedSettings, setting
from catalog.search.vectors import NoVectorsError


@dataclass(frozen=True, slots=True)
class VectorSettings(TypedSettings):
    least: float = setting(
        0.1, "Least similarity", "A tool whose cosine with the query is smaller is no hit.", least=0, most=1
    )


DEFAULTS = VectorSettings()


class Servers(Scope):
    """The servers of a corpus, which no edit of a text changes."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus.tools)

    def updated(self, corpus: Corpus, changed: Changed) -> Self:
        return self


class Vector:
    slug: ClassVar[str] = "vector"
    title: ClassVar[str] = "Vector"
    summary: ClassVar[str] = "What a query means, whatever its words: the cosine between its vector and each tool’s."
    query_help: ClassVar[str] = "A sentence that says what the tool should do"
    Settings: ClassVar[type[TypedSettings]] = VectorSettings

    def __init__(self, corpus: Corpus, settings: VectorSettings = DEFAULTS) -> None:
        self._corpus = corpus
        self._scope = corpus.shared(Servers)
        self._least = settings.least

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        text, chosen = query[:MAX_LENGTH].strip(), self._scope.chosen(servers)
        searched = int(np.count_nonzero(chosen))
        words = tuple(QueryWord(word, (word,)) for word in dict.fromkeys(text.split()))
        empty = Ranking(self.slug, QueryReading(query, words, text), searched=searched)
        if not text:
            return replace(empty, notes=("the query is empty",))
        try:
            cosines = similarities(self._corpus, text)
        except NoVectorsError as error:
            return replace(empty, problem=str(error))
        scores = np.where(chosen & (cosines >= self._least), np.maximum(cosines, 0.0), 0.0)
        told = ((self._told(float(scores[place])), place) for place in best_places(scores, limit))
        hits, cuts = cut_at(limit, told_hits(told, self._corpus.tools))
        matched = int(np.count_nonzero(scores))
        return replace(empty, hits=hits, cuts=cuts, matched=matched, notes=tuple(limit_notes(query, ())))

    def _told(self, cosine: float) -> Explanation:
        """A cosine is one figure of two whole texts: no word of either can be told its share."""
        near = fact(cosine, f"its meaning is near to the query’s, cosine {cosine:.2f}", field="meaning")
        model = self._corpus.vectors.model if self._corpus.vectors else ""
        return replace(near, background=fact(cosine, f"as {model} reads both"))
