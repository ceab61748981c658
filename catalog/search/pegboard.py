"""The engine that Pegboard is made for: words, and meanings where vectors are set up, each score a sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from catalog.search.cutting import best_places, cut_at, told_hits
from catalog.search.engine import Corpus
from catalog.search.exact_names import ExactNames
from catalog.search.meaning import similarities
from catalog.search.merits import Question, add_exact, merits_of
from catalog.search.phrases import Phrases, pairs_of
from catalog.search.places import Places
from catalog.search.ranking import Hit, QueryReading, Ranking
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
        words = with_near(read_query(query), self._places.postings)
        question = Question(
            tuple(asked_words(words, spoken_terms(query), self._weighing)), pairs_of(query[:MAX_LENGTH])
        )
        chosen = self._places.chosen(servers)
        cosines, meaning_notes = self._cosines(query[:MAX_LENGTH].strip())
        merits = merits_of(question, self._weighing, self._places, self._phrases, chosen, cosines)
        add_exact(merits, self._names.typed(query), self._names.spoken(query))
        scores = np.where(chosen, merits.scores, 0.0)
        teller = Teller(question, merits, self._weighing)
        hits, cuts = cut_at(limit, self._told(best_places(scores, limit), teller))
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, words, final_query(question.words)),
            hits=hits,
            cuts=cuts,
            matched=int(np.count_nonzero(scores)),
            searched=int(np.count_nonzero(chosen)),
            notes=(
                *limit_notes(query, words),
                *spelling_notes(words),
                *word_notes(words),
                *self._places.notes(),
                *meaning_notes,
            ),
        )

    def _cosines(self, text: str) -> tuple[Array | None, Sequence[str]]:
        """How near each tool's meaning is, or what a reader should know where that cannot be told."""
        if not (self._meaning and text and self._corpus.vectors):
            return None, ()
        try:
            return similarities(self._corpus, text), ()
        except NoVectorsError as error:
            return None, (f"only words were counted, no meanings: {error}",)

    def _told(self, places: Sequence[int], teller: Teller) -> list[Hit]:
        told = ((teller.tell(place, int(self._places.documents[place])), place) for place in places)
        return told_hits(told, self._corpus.tools)
