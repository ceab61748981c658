"""How a query is read: its words, the terms that they ask for, and what was left of it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from catalog.search.ranking import QueryWord
from catalog.search.words import index_words, is_common, run_words, word_runs

MAX_LENGTH = 1_024
"""Characters of a query that are read."""
MAX_TERMS = 64
"""Terms of a query that are asked for."""
MAX_WORDS = 256
"""Words of a query that an engine without an index asks for: each costs a look at every tool."""

_BEYOND = f"beyond the first {MAX_TERMS} words"


@lru_cache(maxsize=1 << 12)
def read_query(text: str) -> tuple[QueryWord, ...]:
    """The words of a query, each with the terms that it asks for, none of them twice.

    Common words are dropped unless there are no others. Of an ideographic run the pairs are asked for, or its one
    character.
    """
    runs = list(_runs(text[:MAX_LENGTH]))
    keep_common = all(is_common(word) for word, _ in runs)
    asked: set[str] = set()
    words = []
    for word, terms in runs:
        fresh = [term for term in dict.fromkeys(terms) if term not in asked][: MAX_TERMS - len(asked)]
        dropped = "a common word" if is_common(word) and not keep_common else _refusal(terms, fresh, asked)
        words.append(QueryWord(word, () if dropped else tuple(fresh), dropped))
        asked.update(words[-1].terms)
    return tuple(words)


@lru_cache(maxsize=1 << 12)
def spoken_terms(text: str) -> Mapping[str, str]:
    """Each term of a query with the first word that stands for it there: what to call it."""
    read = text[:MAX_LENGTH]
    spoken: dict[str, str] = {}
    for word in index_words(read):
        spoken.setdefault(word.term, read[word.start : word.end])
    return MappingProxyType(spoken)


def limit_notes(text: str, words: Sequence[QueryWord]) -> Iterator[str]:
    """What a reader should know of a query that was cut."""
    if len(text) > MAX_LENGTH:
        yield f"only the first {MAX_LENGTH:,} of {len(text):,} characters were read"
    if any(word.dropped == _BEYOND for word in words):
        yield f"only the first {MAX_TERMS} words were asked for"


def first_words(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that are asked for, and what a reader should know of a query that has more."""
    if len(words) <= MAX_WORDS:
        return tuple(words), ()
    return tuple(words[:MAX_WORDS]), (f"only the first {MAX_WORDS} of {len(words):,} words were asked for",)


def word_notes(words: Sequence[QueryWord]) -> Iterator[str]:
    """What a reader should know of words that cannot find much."""
    if not any(word.terms for word in words):
        yield "the query has no word to search for"
    if any(word.terms and is_common(word.text) for word in words):
        yield "words as common as these are sought in names, tags and search texts only"


def _refusal(terms: Sequence[str], fresh: Sequence[str], asked: set[str]) -> str:
    if fresh:
        return ""
    return "asked already" if asked.issuperset(terms) else _BEYOND


def _runs(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for run in word_runs(text):
        sizes = (min(2, len(run.group())),)
        yield text[run.start() : run.end()], tuple(word.term for word in run_words(run, sizes))
