"""How well a tool fits a need, by the words that they share."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from catalog.search.words import index_words
from playground.agent.scripted.lexicon import IMPLIED, SYNONYMS, VAGUE
from playground.agent.scripted.needs import Need

GOOD = 0.42
"""The fit from which a tool is taken at once."""
SURE = 0.6
"""The fit from which a tool in view is called before anything else is looked for."""
FAIR = 0.34
"""The fit from which the best tool is taken when no search finds a good one."""

_VAGUE, _DETAIL = 0.35, 0.15
"""Weights of a word that says little, and of one from a clause that tells more; others weigh 1."""
_SYNONYMS = (0.6, 0.55, 0.5, 0.45)
"""What a synonym counts for, the nearest first."""
_IMPLIED_BY_NAME, _IMPLIED_BY_DESCRIPTION = 0.25, 0.12
_STRAY = 0.12
"""What a word of the tool's name costs that the need does not speak of."""
_ELSEWHERE = re.compile(r"(?<![^.])\s*For [^.]*(?:\.|$)|(?<![^.])[^.]*\binstead\b[^.]*(?:\.|$)")
"""Sentences of a description that send the reader to another tool: their words are not this one's."""


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool as the model knows it."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class _Terms:
    own: frozenset[str]
    server: frozenset[str]
    opening: frozenset[str]
    description: frozenset[str]


def best_fit(need: Need, candidates: Iterable[KnownTool], least: float) -> KnownTool | None:
    """The tool that fits best, the first of equals; None if none fits at least so well."""
    scored = [(fit(need, candidate), -place, candidate) for place, candidate in enumerate(candidates)]
    fitting = [entry for entry in scored if entry[0] >= least]
    return max(fitting, key=lambda entry: entry[:2])[2] if fitting else None


def fit(need: Need, candidate: KnownTool) -> float:
    """From 0 to a little over 1: how much of the need's words the tool's name and description answer."""
    tool = _tool_terms(candidate.name, candidate.description)
    weighed = [(_weight(word), _word_fit(word, tool)) for word in need.words]
    total = sum(weight for weight, _ in weighed)
    if not total:
        return 0.0
    main = sum(weight * value for weight, value in weighed) / total
    extra = sum(_DETAIL * _word_fit(word, tool) for word in need.details) / (1 + len(need.details) / 4)
    implied = tuple(_implied(need))
    hinted = sum(_implied_fit(terms, tool) for terms in implied)
    stray = len(tool.own.difference(_terms(" ".join((*_every_word(need), *VAGUE))), *implied))
    return main + extra + hinted * min(1.0, 2 * main) - _STRAY * stray if main else 0.0


def synonyms(words: Iterable[str]) -> Iterator[str]:
    """What else may be meant by words, the nearest first."""
    for word in words:
        yield from SYNONYMS.get(word, ())


def _weight(word: str) -> float:
    return _VAGUE if word in VAGUE else 1.0


def _word_fit(word: str, tool: _Terms) -> float:
    """The word's own, or a synonym's at a discount."""
    others = zip(_SYNONYMS, SYNONYMS.get(word, ()), strict=False)
    return max([_terms_fit(_terms(word), tool), *(worth * _terms_fit(_terms(other), tool) for worth, other in others)])


def _terms_fit(terms: frozenset[str], tool: _Terms) -> float:
    places = ((tool.own, 1.0), (tool.opening, 0.85), (tool.server, 0.6), (tool.description, 0.5))
    return sum(max((value for place, value in places if term in place), default=0.0) for term in terms) / (
        len(terms) or 1
    )


def _implied(need: Need) -> Iterator[frozenset[str]]:
    for kind in dict.fromkeys(value.kind for value in need.values):
        if kind in IMPLIED:
            yield _terms(" ".join(IMPLIED[kind]))


def _implied_fit(terms: frozenset[str], tool: _Terms) -> float:
    if terms & tool.own:
        return _IMPLIED_BY_NAME
    return _IMPLIED_BY_DESCRIPTION if terms & tool.description else 0.0


def _every_word(need: Need) -> Iterator[str]:
    yield from need.words
    yield from need.details
    yield from synonyms((*need.words, *need.details))


@lru_cache(maxsize=20_000)
def _tool_terms(name: str, description: str) -> _Terms:
    server, _, own = name.rpartition("__")
    description = _ELSEWHERE.sub(" ", description).strip()
    opening = description[:8] if "\u4e00" <= description[:1] <= "\u9fff" else " ".join(description.split()[:3])
    return _Terms(_terms(own), _terms(server), _terms(opening), _terms(description))


@lru_cache(maxsize=20_000)
def _terms(text: str) -> frozenset[str]:
    """Stems; of a Chinese run its pairs, or its one character."""
    words = [word.term for word in index_words(text)]
    pairs = [word for word in words if word.isascii() or len(word) > 1]
    return frozenset(pairs or words)
