"""The engine of Mastra's ToolSearchProcessor: BM25 over names and descriptions, and bonuses for names (M-4 to M-12)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import SHOWN_CUT, above, best_places, cut_at
from catalog.search.engine import Changed, Corpus
from catalog.search.explanation import Explanation, fact, sum_of
from catalog.search.ranking import Hit, QueryReading, QueryWord, Ranking
from catalog.search.reading import first_words
from catalog.search.scope import Scope
from catalog.search.settings import Fidelity, TypedSettings, setting
from catalog.search.token_lists import TokenLists
from catalog.search.words import sole_term
from catalog.tools import ToolSpec

K1, B = 1.5, 0.75
IS_NAME, IN_NAME = 5.0, 2.0
"""What a token adds that is the whole name of a candidate, or stands in it (M-9)."""
CANDIDATES = 2
"""How many candidates there are for each tool that is returned (M-8)."""
MIN_TOKEN = 2
"""UTF-16 units of a token (T3)."""

_SEPARATORS = re.compile(
    "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" + r"\-_.,;:!?()\[\]{}'\"]+"
)
"""JavaScript's white space (T2), and Mastra's punctuation."""
_ARRAY_INDEX = re.compile(r"\A(?:0|[1-9][0-9]{0,9})\Z")
_MAX_ARRAY_INDEX = 2**32 - 2


@dataclass(frozen=True, slots=True)
class TokenPostings:
    """Where a token stands: places of tools, how often in each, how rare it is, and what it adds to each score."""

    places: NDArray[np.int32]
    counts: NDArray[np.float64]
    rarity: float
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MastraSettings(TypedSettings):
    fidelity: Fidelity = setting(
        "documented",
        "Minimum score is",
        "A share of the best score, from 0 to 1, as the document has it; or a raw score, as the program compares it.",
        choices=get_args(Fidelity),
    )
    min_score: float = setting(0.0, "Minimum score", "What scores this or less is cut.")


DEFAULTS = MastraSettings()


class MastraTools(Scope):
    """The tools in index order, and where their tokens stand."""

    def __init__(self, corpus: Corpus) -> None:
        self.tools = index_order(corpus.tools)
        super().__init__(self.tools)
        self.names = [tool.name.lower() for tool in self.tools]
        self._places = {tool.name: place for place, tool in enumerate(self.tools)}
        lengths = np.zeros(len(self.tools))
        self._lists = TokenLists(_noting_lengths(self.tools, lengths))
        self._measure(lengths)
        self._known: dict[str, TokenPostings] = {}

    def updated(self, corpus: Corpus, changed: Changed) -> "MastraTools":
        """Names and their order stay; the average length does not, and so no weight."""
        follower = copy(self)
        follower.tools, follower._known = [*self.tools], {}
        for place in changed:
            follower.tools[self._places[corpus.tools[place].name]] = corpus.tools[place]
        edited = [self._places[corpus.tools[place].name] for place in changed]
        before, after = ({place: _tokens(tools[place]) for place in edited} for tools in (self.tools, follower.tools))
        lengths = self.lengths.copy()
        lengths[[*after]] = [len(tokens) for tokens in after.values()]
        follower._measure(lengths)
        follower._lists = self._lists.moved(before, after)
        return follower

    def of(self, token: str) -> TokenPostings | None:
        """None if no tool has the token."""
        known = self._known.get(token)
        if known is None and token in self._lists:
            places, counts = self._lists.of(token)
            known = self._known[token] = self._posted(places, counts.astype(np.float64))
        return known

    def _measure(self, lengths: NDArray[np.float64]) -> None:
        """Take these for the numbers of tokens."""
        self.lengths = lengths
        self.average = float(lengths.mean()) if len(lengths) else 0.0

    def _posted(self, places: NDArray[np.int32], counts: NDArray[np.float64]) -> TokenPostings:
        rarity = log((len(self.tools) - len(counts) + 0.5) / (len(counts) + 0.5) + 1)
        occurrence = counts * (K1 + 1) / (counts + K1 * (1 - B + B * self.lengths[places] / self.average))
        return TokenPostings(places, counts, rarity, rarity * occurrence)


class MastraBm25:
    slug: ClassVar[str] = "mastra"
    title: ClassVar[str] = "Mastra BM25"
    summary: ClassVar[str] = "BM25 over name and description as one text; words in the name earn a bonus."
    query_help: ClassVar[str] = "Words that stand in the tool's name or description, such as: send message channel"

    Settings: ClassVar[type[TypedSettings]] = MastraSettings

    def __init__(self, corpus: Corpus, settings: MastraSettings = DEFAULTS) -> None:
        self._all = corpus.shared(MastraTools)
        self._settings = settings

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        tokens, notes = first_words(tokenize(query))
        chosen = self._all.chosen(servers)
        bm25 = np.where(chosen, self._bm25(tokens), 0.0)
        matched = int(np.count_nonzero(bm25))
        room = matched if servers else max(CANDIDATES * limit, 0)
        best = best_places(bm25, room, self._turns(tokens))
        candidates = self._boosted(best[:room], bm25, tokens)
        found = [(place, self._told(place, tokens)) for place in candidates[: max(limit, 0) + SHOWN_CUT]]
        found.sort(key=lambda pair: -pair[1].value)
        hits, cuts = cut_at(limit, self._hits(found))
        others = [(place, self._told(place, tokens, bonuses=False)) for place in best[room:] if len(found) == room]
        _, below = cut_at(room, self._hits([*found, *others]), "candidates")
        ranking = Ranking(
            engine=self.slug,
            reading=QueryReading(query, tuple(map(self._read, tokens)), " ".join(tokens)),
            hits=hits,
            cuts=(*cuts, *below),
            matched=matched,
            searched=int(np.count_nonzero(chosen)),
            notes=notes if tokens else ("the query has no word to search for",),
        )
        return above(self._least(ranking), ranking)

    def _least(self, ranking: Ranking) -> float:
        """The raw score that a hit has to exceed (M-10)."""
        scale = ranking.best_score if self._settings.fidelity == "documented" else 1.0
        return self._settings.min_score * scale

    def candidates(self, query: str, limit: int) -> list[ToolSpec]:
        """The tools that may earn a bonus, best BM25 first: more than are returned, fewer than match (M-8)."""
        tokens, room = tokenize(query), max(CANDIDATES * limit, 0)
        return [self._all.tools[place] for place in best_places(self._bm25(tokens), room, self._turns(tokens))[:room]]

    def _bm25(self, tokens: Iterable[str]) -> NDArray[np.float64]:
        """The score of each tool before any bonus; repeated tokens count again (M-7)."""
        scores = np.zeros(len(self._all.tools))
        for token in tokens:
            if postings := self._all.of(token):
                scores[postings.places] += postings.weights
        return scores

    def _turns(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """When each tool is first met, token by token: ties keep that order (M-8)."""
        turns = np.full(len(self._all.tools), len(tokens))
        for turn, token in reversed([*enumerate(tokens)]):
            if postings := self._all.of(token):
                turns[postings.places] = turn
        return turns

    def _boosted(self, candidates: Sequence[int], bm25: NDArray[np.float64], tokens: Sequence[str]) -> list[int]:
        """The candidates with their bonuses, best first, equal ones in their order (M-9, M-10)."""
        bonuses = {place: sum(_bonus(token, self._all.names[place]) for token in tokens) for place in candidates}
        return sorted(candidates, key=lambda place: -(bm25[place] + bonuses[place]))

    def _told(self, place: int, tokens: Sequence[str], *, bonuses: bool = True) -> Explanation:
        parts = [sum_of("BM25", self._products(place, tokens))]
        if bonuses and (earned := list(_bonus_facts(tokens, self._all.names[place]))):
            parts.append(sum_of("bonuses", earned))
        return sum_of("BM25 and bonuses", parts)

    def _products(self, place: int, tokens: Sequence[str]) -> Iterator[Explanation]:
        """What each token adds, said of the name where it stands there too."""
        tool = self._all.tools[place]
        texts = {"name": set(tokenize(tool.name)), "description": set(tokenize(tool.description))}
        for token in tokens:
            if (postings := self._all.of(token)) and (count := _count(postings, place)):
                fields = [field for field, found in texts.items() if token in found]
                reason = f"its {' and '.join(fields)} {'have' if len(fields) > 1 else 'has'} “{token}”"
                rarity = _rarity(postings.rarity, len(postings.places), len(self._all.tools))
                occurrence = _occurrence(count, float(self._all.lengths[place]), self._all.average)
                value = rarity.value * occurrence.value
                yield Explanation(value, reason, "product", (rarity, occurrence), fields[0], term=sole_term(token))

    def _hits(self, found: Sequence[tuple[int, Explanation]]) -> list[Hit]:
        return [Hit(rank, self._all.tools[place], told) for rank, (place, told) in enumerate(found, start=1)]

    def _read(self, token: str) -> QueryWord:
        return QueryWord(token, (token,), unknown=self._all.of(token) is None)


def _noting_lengths(tools: Iterable[ToolSpec], lengths: NDArray[np.float64]) -> Iterator[tuple[int, list[str]]]:
    """The tokens of each tool by its place, their number put down there."""
    for place, tool in enumerate(tools):
        tokens = _tokens(tool)
        lengths[place] = len(tokens)
        yield place, tokens


def _tokens(tool: ToolSpec) -> list[str]:
    return tokenize(f"{tool.name} {tool.description}")


def tokenize(text: str) -> list[str]:
    """Lower-cased, cut at white space and punctuation, of two UTF-16 units at least (M-6)."""
    return [word for word in _SEPARATORS.split(text.lower()) if len(word) >= MIN_TOKEN or word > "\uffff"]


def index_order(tools: Iterable[ToolSpec]) -> list[ToolSpec]:
    """The order of a JavaScript object whose keys are the names: whole numbers first (T5)."""
    return sorted(tools, key=lambda tool: int(tool.name) if _is_array_index(tool.name) else _MAX_ARRAY_INDEX + 1)


def _is_array_index(name: str) -> bool:
    return bool(_ARRAY_INDEX.match(name)) and int(name) <= _MAX_ARRAY_INDEX


def _count(postings: TokenPostings, place: int) -> float:
    at = int(np.searchsorted(postings.places, place))
    return float(postings.counts[at]) if at < len(postings.places) and postings.places[at] == place else 0.0


@lru_cache(maxsize=1 << 12)
def _rarity(rarity: float, having: int, size: int) -> Explanation:
    formula = f"ln(({size} − {having} + 0.5) / ({having} + 0.5) + 1)"
    return fact(rarity, f"in {having:,} of {size:,} tools: {formula}")


@lru_cache(maxsize=1 << 14)
def _occurrence(count: float, length: float, average: float) -> Explanation:
    """How much the number of times counts in a text of this length, in words."""
    value = count * (K1 + 1) / (count + K1 * (1 - B + B * length / average))
    times = "once" if count == 1 else f"{count:g} times"
    told = f"{times} in {length:g} word{'' if length == 1 else 's'}, {average:.1f} on average"
    formula = f"{count:g} × {K1 + 1:g} / ({count:g} + {K1:g} × ({1 - B:g} + {B:g} × {length:g} / {average:.2f}))"
    return Explanation(value, told, background=fact(value, f"{formula}, with k1 = {K1:g} and b = {B:g}"))


def _bonus(token: str, name: str) -> float:
    return IS_NAME if token == name else IN_NAME if token in name else 0.0


def _bonus_facts(tokens: Iterable[str], name: str) -> Iterator[Explanation]:
    for token in tokens:
        if bonus := _bonus(token, name):
            where = "as its whole name" if token == name else "in its name"
            yield fact(bonus, f"it gets a bonus for “{token}” {where} (+{bonus:g})", field="bonus")
