"""The queries that a change is tried on: judged ones, and those that recorded runs asked."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catalog.search.documents import PROSE, field_texts
from catalog.search.orders import Order
from catalog.search.words import index_words, is_common
from catalog.tools import ToolSpec

MOST_QUERIES = 2_000
"""Queries of a catalog that a change is tried on: the judged ones, then those that were asked most often."""


@dataclass(frozen=True, slots=True)
class KnownQuery:
    """A query, with tools as `server/name`.

    `groups` are its judged answers, of each of which any one does; empty where nobody judged it. Those that are only `fine`
    gain half. `called` are the tools that runs called after it had found them, and `times` says how often runs asked it.
    """

    text: str
    groups: tuple[frozenset[str], ...] = ()
    called: frozenset[str] = frozenset()
    times: int = 0
    fine: frozenset[str] = frozenset()

    @property
    def is_judged(self) -> bool:
        return bool(self.groups)

    @property
    def answers(self) -> frozenset[str]:
        """The tools that it should find: judged, or else called."""
        return frozenset().union(*self.groups) if self.groups else self.called


def together(judged: Iterable[KnownQuery], recorded: Iterable[KnownQuery]) -> tuple[KnownQuery, ...]:
    """Each text once: judged ones first, in their order, then recorded ones, the commonest first."""
    found = {query.text: query for query in judged}
    for query in sorted(recorded, key=lambda query: -query.times):
        known = found.get(query.text, query)
        found[query.text] = replace(known, called=known.called | query.called, times=query.times)
    return tuple(found.values())[:MOST_QUERIES]


def touched_first(
    queries: Sequence[KnownQuery], old: Sequence[ToolSpec], new: Sequence[ToolSpec], known: Mapping[str, Order]
) -> list[KnownQuery]:
    """The queries that tell of an edited tool already, then those with words that the edit adds or takes away, rare ones first.

    `known` is what queries found before, by text.
    """
    keys = {tool.key for tool in (*old, *new)}
    moved = moved_terms(old, new)
    shared = {query.text: moved & asked_terms(query.text) for query in queries}
    queries_with = Counter(term for terms in shared.values() for term in terms)

    def nearness(query: KnownQuery) -> tuple[bool, float]:
        told = known.get(query.text, Order())
        rare = sum(1 / queries_with[term] for term in shared[query.text])
        return not keys.isdisjoint((*told.kept, *told.below)), rare

    return sorted(queries, key=nearness, reverse=True)


def moved_terms(old: Iterable[ToolSpec], new: Iterable[ToolSpec]) -> frozenset[str]:
    """The words that tools have more or less often than before."""
    before, after = _terms(old), _terms(new)
    return frozenset(term for term in before | after if before[term] != after[term])


@lru_cache(maxsize=1 << 12)
def asked_terms(text: str) -> frozenset[str]:
    """The words that a query asks for, as an index has them."""
    return frozenset(word.term for word in index_words(text) if not is_common(text[word.start : word.end]))


def _terms(tools: Iterable[ToolSpec]) -> Counter[str]:
    said: Counter[str] = Counter()
    for tool in tools:
        for field, text in field_texts(tool).items():
            words = index_words(text)
            said.update(w.term for w in words if field not in PROSE or not is_common(text[w.start : w.end]))
    return said
