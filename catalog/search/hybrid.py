"""The hybrid engine of the sanqian post: several ways to say a query, several sources for each, fused by rank (S-5 to S-13).

The post gives the two formulas and the rule of AutoCut. All that it leaves open is a setting here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from catalog.search.autocut import autocut, kept_before_jump
from catalog.search.bm25f import WhooshBm25f
from catalog.search.cutting import SHOWN_CUT
from catalog.search.engine import Corpus
from catalog.search.exact_names import ExactNames
from catalog.search.fusion import FusedVariant, K, Scored, explain, fused_variants
from catalog.search.intents import ToolIntents, intent_of
from catalog.search.listing import TITLES, LikeWords, Source, ranked_names
from catalog.search.places import Places
from catalog.search.ranking import Hit, QueryReading, Ranking, Variant
from catalog.search.reading import limit_notes, read_query, word_notes
from catalog.search.rewriting import asked_for, variants
from catalog.search.settings import EngineSettings, setting
from catalog.search.spelling import spelling_notes, with_near


@dataclass(frozen=True, slots=True)
class HybridSettings(EngineSettings):
    """What the post leaves open (S-12), and the two numbers that it gives: 60 and 2."""

    as_sent: float = setting(1.0, "Weight of the query as sent", "0 leaves this variant out.", least=0, most=10)
    stripped: float = setting(
        1.0, "Weight of the query stripped", "Without the words that only ask: read file.", least=0, most=10
    )
    subject: float = setting(0.5, "Weight of its subject", "Without the verbs too: file.", least=0, most=10)
    like: bool = setting(True, "LIKE", "Asks for the words as substrings.")
    bm25: bool = setting(True, "BM25", "Asks for the words and their stems in every field.")
    like_share: float = setting(
        0.75, "Words that LIKE needs", "The share of a variant’s words that a tool must have.", least=0, most=1
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


class Hybrid:
    slug: ClassVar[str] = "hybrid"
    title: ClassVar[str] = "sanqian hybrid"
    summary: ClassVar[str] = (
        "LIKE and BM25 for several wordings of the query, fused by their ranks, cut where scores fall."
    )
    query_help: ClassVar[str] = "What the tool should do, in a person's words: can you send a message to the team"
    Settings: ClassVar[type[EngineSettings]] = HybridSettings

    def __init__(self, corpus: Corpus, settings: HybridSettings = DEFAULTS) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self._corpus = corpus
        self._tools = corpus.tools
        self._settings = settings
        self._places = corpus.shared(Places)
        self._names = corpus.shared(ExactNames)
        self._intents = corpus.shared(ToolIntents)

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        asked = variants(query, self._settings.as_sent, self._settings.stripped, self._settings.subject)
        words = with_near(read_query(query), self._places.postings)
        chosen = self._places.chosen(servers)
        found = self._found(asked, intent_of(asked_for(query)), chosen)
        scored = fused_variants([(each.weight, each.names) for each in found], self._settings.k_variants)
        kept = self._kept(scored)
        told = self._told(scored[: max(limit, 0) + SHOWN_CUT], found)
        hits, cuts = autocut(limit, kept, self._settings.autocut, told)
        return Ranking(
            engine=self.slug,
            reading=QueryReading(query, words, " | ".join(each.text for each in asked), variants=asked),
            hits=hits,
            cuts=cuts,
            matched=len(scored),
            searched=int(np.count_nonzero(chosen)),
            notes=(*limit_notes(query, words), *spelling_notes(words), *word_notes(words), *self._places.notes()),
        )

    def _sources(self) -> dict[str, Source]:
        """Those that are asked, by name."""
        sources: dict[str, Source] = {}
        if self._settings.like:
            sources["like"] = LikeWords(self._corpus, self._settings.like_share).scores
        if self._settings.bm25:
            sources["bm25"] = WhooshBm25f(self._corpus).scores
        return sources

    def _found(self, asked: Sequence[Variant], intent: str, chosen: NDArray[np.bool_]) -> list[FusedVariant]:
        sources, most = self._sources(), self._settings.length
        names = [tool.name for tool in self._corpus.tools]
        found = []
        for variant in asked:
            lists = {
                source: ranked_names(np.where(chosen, scores(variant.text), 0.0), names, most)
                for source, scores in sources.items()
            }
            bonuses = self._bonuses(variant.text, intent, {name for listed in lists.values() for name in listed})
            found.append(FusedVariant(variant.why, variant.weight, lists, bonuses, self._settings.k_sources))
        return found

    def _bonuses(self, text: str, intent: str, names: Iterable[str]) -> dict[str, dict[str, float]]:
        places = {*self._names.typed(text), *self._names.spoken(text)}
        meant = [name for name in names if intent and intent in self._intents.of(name)]
        return {
            "its exact name": dict.fromkeys((self._tools[place].name for place in places), self._settings.exact_name),
            "its intent": dict.fromkeys(meant, self._settings.intent),
        }

    def _kept(self, scored: Scored) -> int:
        """How many AutoCut leaves."""
        if not self._settings.autocut:
            return len(scored)
        return kept_before_jump([score for _, score in scored], self._settings.autocut)

    def _told(self, scored: Scored, found: Sequence[FusedVariant]) -> list[Hit]:
        tools = {tool.name: tool for tool in self._tools}
        return [
            Hit(rank, tools[name], explain(name, found, TITLES, self._settings.k_variants))
            for rank, (name, _) in enumerate(scored, start=1)
        ]
