"""The hybrid engine of the sanqian post: several ways to say a query, several sources for each, fused by rank (S-5 to S-13).

The post gives the two formulas and the rule of AutoCut. All that it leaves open is a setting here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.autocut import autocut, kept_before_jump
from catalog.search.cutting import SHOWN_CUT, top_places
from catalog.search.engine import Corpus
from catalog.search.exact_names import ExactNames
from catalog.search.fusion import FusedVariant, K, explain, fused_variants
from catalog.search.intents import intent_of, intents_of
from catalog.search.listing import TITLES, LikeWords, Source, bm25_scores, vector_scores
from catalog.search.places import Places
from catalog.search.ranking import Cut, Hit, QueryReading, QueryWord, Ranking, Variant
from catalog.search.reading import limit_notes, read_query, word_notes
from catalog.search.rewriting import asked_for, variants
from catalog.search.settings import TypedSettings, setting
from catalog.search.spelling import spelling_notes, with_near
from catalog.search.vectors import NoVectorsError
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class HybridSettings(TypedSettings):
    """What the post leaves open (S-12), and the two numbers that it gives: 60 and 2."""

    as_sent: float = setting(1.0, "Weight of the query as sent", "0 leaves this variant out.", least=0, most=10)
    stripped: float = setting(
        1.0, "Weight of the query stripped", "Without the words that only ask: read file.", least=0, most=10
    )
    subject: float = setting(0.5, "Weight of its subject", "Without the verbs too: file.", least=0, most=10)
    like: bool = setting(True, "LIKE", "Asks for the words as substrings.")
    bm25: bool = setting(True, "BM25", "Asks for the words and their stems in every field.")
    vector: bool = setting(True, "Vectors", "Asks for the meaning, where a model that compares meanings is set up.")
    like_share: float = setting(
        0.75, "Words that LIKE needs", "The share of a variant’s words that a tool must have.", least=0, most=1
    )
    least: float = setting(
        0.1, "Least similarity", "A tool whose cosine with a variant is smaller is not found.", least=0, most=1
    )
    length: int = setting(50, "Tools from each source", "How many of its best are fused.", least=1, most=1_000)
    k_sources: int = setting(K, "k of the first pass", "Over sources: 1 / (k + rank).", least=0, most=1_000)
    k_variants: int = setting(K, "k of the second pass", "Over variants: weight / (k + rank).", least=0, most=1_000)
    exact_name: float = setting(
        0.1,
        "Bonus for the exact name",
        "Where a variant is the tool’s name; a rank is worth 0.016 at most.",
        least=0,
        most=10,
    )
    intent: float = setting(
        0.0002,
        "Boost by intent",
        "Where the tool does what the query’s verb says: less than one rank.",
        least=0,
        most=1,
    )
    autocut: float = setting(
        2.0,
        "AutoCut",
        "Cuts below the first score that the one above exceeds so many times; 0 never cuts.",
        least=0,
        most=100,
    )


DEFAULTS = HybridSettings()
Listed = Mapping[str, Sequence[ToolSpec]]
"""By source, the tools that it found for one variant, best first."""


class Hybrid:
    slug: ClassVar[str] = "hybrid"
    title: ClassVar[str] = "sanqian hybrid"
    summary: ClassVar[str] = (
        "LIKE, BM25 and meaning for several wordings of the query, fused by their ranks, cut where scores fall."
    )
    query_help: ClassVar[str] = "What the tool should do, in a person's words: can you send a message to the team"
    Settings: ClassVar[type[TypedSettings]] = HybridSettings

    def __init__(self, corpus: Corpus, settings: HybridSettings = DEFAULTS) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._corpus = corpus
        self._tools = corpus.tools
        self._settings = settings
        self._places = corpus.shared(Places)
        self._names = corpus.shared(ExactNames)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """A tool matches if a source has it among its best for any variant."""
        asked = variants(query, self._settings.as_sent, self._settings.stripped, self._settings.subject)
        words = with_near(read_query(query), self._places.postings)
        chosen = self._places.chosen(servers)
        listed, notes = self._found(asked, chosen)
        hits, cuts, matched = self._best(self._fused(asked, listed, intent_of(asked_for(query))), listed, limit)
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, words, " | ".join(each.text for each in asked), variants=asked),
            hits=hits,
            cuts=cuts,
            matched=matched,
            searched=int(np.count_nonzero(chosen)),
            notes=(*self._notes(query, words), *notes),
        )

    def _notes(self, query: str, words: Sequence[QueryWord]) -> Iterator[str]:
        yield from limit_notes(query, words)
        yield from spelling_notes(words)
        yield from word_notes(words)
        yield from self._places.notes()

    def _sources(self) -> dict[str, Source]:
        """Those that are asked, by name."""
        settings, sources = self._settings, dict[str, Source]()
        if settings.like:
            sources["like"] = LikeWords(self._corpus, settings.like_share).scores
        if settings.bm25:
            sources["bm25"] = partial(bm25_scores, self._corpus)
        if settings.vector and self._corpus.vectors:
            sources["vector"] = partial(vector_scores, self._corpus, settings.least)
        return sources

    def _found(self, asked: Sequence[Variant], chosen: NDArray[np.bool_]) -> tuple[list[Listed], tuple[str, ...]]:
        """What each variant finds, and what a reader should know of it: a source that fails is left out."""
        sources = self._sources()
        if not sources:
            return [{} for _ in asked], ("every source is switched off",)
        try:
            return [self._listed(variant.text, sources, chosen) for variant in asked], ()
        except NoVectorsError as error:
            del sources["vector"]
            return [self._listed(variant.text, sources, chosen) for variant in asked], (f"without vectors: {error}",)

    def _listed(self, text: str, sources: Mapping[str, Source], chosen: NDArray[np.bool_]) -> Listed:
        found = {source: np.where(chosen, scores(text), 0.0) for source, scores in sources.items()}
        most = self._settings.length
        return {source: [self._tools[place] for place in top_places(scores, most)] for source, scores in found.items()}

    def _fused(self, asked: Sequence[Variant], listed: Sequence[Listed], intent: str) -> list[FusedVariant]:
        return [
            FusedVariant(
                variant.why,
                variant.weight,
                {source: [tool.name for tool in tools] for source, tools in found.items()},
                {"its exact name": self._exact(variant.text), "its intent": self._intended(found, intent)},
                self._settings.k_sources,
                tuple(term for word in read_query(variant.text) for term in word.terms),
            )
            for variant, found in zip(asked, listed, strict=True)
        ]

    def _exact(self, text: str) -> dict[str, float]:
        places = (*self._names.typed(text), *self._names.spoken(text))
        return dict.fromkeys((self._tools[place].name for place in places), self._settings.exact_name)

    def _intended(self, found: Listed, intent: str) -> dict[str, float]:
        tools = (tool for listed in found.values() for tool in listed)
        meant = (tool.name for tool in tools if intent and intent in intents_of(tool))
        return dict.fromkeys(meant, self._settings.intent)

    def _best(
        self, found: Sequence[FusedVariant], listed: Sequence[Listed], limit: int
    ) -> tuple[tuple[Hit, ...], tuple[Cut, ...], int]:
        """Hits, cuts, and how many tools there were."""
        settings = self._settings
        tools = {tool.name: tool for lists in listed for each in lists.values() for tool in each}
        scored = fused_variants([(each.weight, each.names) for each in found], settings.k_variants)
        kept = kept_before_jump([score for _, score in scored], settings.autocut) if settings.autocut else len(scored)
        told = [
            Hit(rank, tools[name], explain(name, found, TITLES, settings.k_variants))
            for rank, (name, _) in enumerate(scored[: max(limit, 0) + SHOWN_CUT], start=1)
        ]
        return *autocut(limit, kept, settings.autocut, told), len(scored)
