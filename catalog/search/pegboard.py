"""The engine that Pegboard is made for: words, and meanings where vectors are set up, each score a sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.engine import Corpus
from catalog.search.exact_names import ExactNames
from catalog.search.explanation import Explanation
from catalog.search.meaning import similarities
from catalog.search.merits import Question, add_exact, merits_of
from catalog.search.orders import Order, settled, told_order
from catalog.search.phrases import Phrases, asked_pairs
from catalog.search.places import Places
from catalog.search.ranking import QueryReading, QueryWord, Ranking
from catalog.search.reading import MAX_LENGTH, limit_notes, read_query, spoken_terms, word_notes
from catalog.search.senses import asked_words, final_query
from catalog.search.settings import TypedSettings, setting
from catalog.search.spelling import spelling_notes, with_near
from catalog.search.telling import Teller
from catalog.search.vectors import NoVectorsError
from catalog.search.weighing import Array, Weighing


@dataclass(frozen=True, slots=True)
class PegboardSettings(TypedSettings):
    meaning: bool = setting(
        True, "Meaning", "Counts how near a tool’s meaning is, where a model that compares meanings is set up."
    )


DEFAULTS = PegboardSettings()


@dataclass(frozen=True, slots=True)
class Found:
    """What a query finds before it is explained: how it was read, each tool's score, and who can tell it."""

    words: tuple[QueryWord, ...]
    chosen: NDArray[np.bool_]
    scores: Array
    teller: Teller
    notes: Sequence[str]


class Pegboard:
    slug: ClassVar[str] = "pegboard"
    title: ClassVar[str] = "Pegboard"
    summary: ClassVar[str] = (
        "Words, synonyms and near spellings in every field; names, phrases and fitting servers count more."
    )
    query_help: ClassVar[str] = (
        "Words that say what the tool should do, such as: send message channel; or a tool's name"
    )
    Settings: ClassVar[type[TypedSettings]] = PegboardSettings

    def __init__(self, corpus: Corpus, settings: PegboardSettings = DEFAULTS) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._corpus = corpus
        self._meaning = settings.meaning
        self._places = corpus.shared(Places)
        self._weighing = corpus.shared(Weighing)
        self._names = corpus.shared(ExactNames)
        self._phrases = corpus.shared(Phrases)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        found = self._find(query, servers)
        places = best_places(found.scores, limit)
        hits, cuts = cut_at(limit, told_hits(zip(self._told(places, found), places, strict=True), self._corpus.tools))
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, found.words, final_query(found.teller.question.words)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(found.scores)),
            searched=int(np.count_nonzero(found.chosen)),
            notes=(
                *limit_notes(query, found.words),
                *spelling_notes(found.words),
                *word_notes(found.words),
                *self._places.notes(),
                *found.notes,
            ),
        )

    def order(self, query: str, limit: int) -> Order:
        found = self._find(query, frozenset())
        places = settled(best_places(found.scores, limit), found.scores, lambda tied: self._told(tied, found))
        return told_order(self._corpus.tools, places, limit)

    def _find(self, query: str, servers: frozenset[str]) -> Found:
        words = with_near(read_query(query), self._places.postings)
        question = Question(tuple(asked_words(words, spoken_terms(query), self._weighing)), asked_pairs(query))
        chosen = self._places.chosen(servers)
        cosines, notes = self._cosines(query[:MAX_LENGTH].strip())
        merits = merits_of(question, self._weighing, self._places, self._phrases, chosen, cosines)
        add_exact(merits, self._names.typed(query), self._names.spoken(query))
        scores = np.where(chosen, merits.scores, 0.0)
        return Found(words, chosen, scores, Teller(question, merits, self._weighing), notes)

    def _cosines(self, text: str) -> tuple[Array | None, Sequence[str]]:
        """How near each tool's meaning is, or what a reader should know where that cannot be told."""
        if not (self._meaning and text and self._corpus.vectors):
            return None, ()
        try:
            return similarities(self._corpus, text), ()
        except NoVectorsError as error:
            return None, (f"only words were counted, no meanings: {error}",)

    def _told(self, places: Sequence[int], found: Found) -> list[Explanation]:
        return [found.teller.tell(place, int(self._places.documents[place])) for place in places]
