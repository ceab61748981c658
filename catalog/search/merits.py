"""What a tool gains beside its words, in arrays over the tools of a corpus: the sums that `telling` spells out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from catalog.search.cutting import top_places
from catalog.search.meaning import Meaning, meaning_of
from catalog.search.phrases import Pairs, Phrases
from catalog.search.places import Places
from catalog.search.senses import AskedWord, Sense
from catalog.search.weighing import Array, Weighing

LONG = 20
"""Terms of a query from which on it is a task in a person's words, and no longer a few words for a search."""
LOOSE_TRUST = 0.2
"""What a word in the parameters or the server's text counts for the shortest query; it grows to 1 at LONG."""
NAME_COVER = 0.5
"""What the words of a name count once more, times the share of the name that the query says."""
ADJACENT = 0.5
"""What two words side by side count, as a share of the commoner one's rarity."""
LOOKED_AT = 50
"""Best tools by their words in which words side by side are looked for."""


@dataclass(frozen=True)
class Question:
    """A query as the merits are counted for it."""

    words: tuple[AskedWord, ...]
    pairs: Pairs

    @cached_property
    def length(self) -> float:
        """From 0, nothing, to 1, long."""
        return min(1.0, len(self.words) / LONG)

    @cached_property
    def trust(self) -> float:
        """What the loose fields count."""
        return LOOSE_TRUST + (1 - LOOSE_TRUST) * self.length

    @cached_property
    def known(self) -> dict[str, Sense]:
        """The terms that tools have as they are asked for."""
        return {word.term: own for word in self.words if (own := word.itself)}


@dataclass(slots=True)
class Merits:
    """By tool, in corpus order. `scores` is the sum of the words and all bonuses; `neighbours` and `exact` by place.

    `name_rarity` and `name_share` go by document.
    """

    scores: Array
    name_rarity: Array
    name_share: Array
    server_best: Array
    meaning: Meaning | None = None
    neighbours: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    exact: dict[int, float] = field(default_factory=dict)


def merits_of(
    question: Question,
    weighing: Weighing,
    places: Places,
    phrases: Phrases,
    chosen: NDArray[np.bool_],
    cosines: Array | None = None,
) -> Merits:
    """The merits of every tool; words side by side are looked for in the best of the `chosen` only.

    `cosines` say how near each tool's meaning is, if that is known.
    """
    name_rarity, name_share = _names(question, weighing)
    scores = _words(question, weighing.postings.size)
    scores += NAME_COVER * name_rarity * name_share
    merits = Merits(scores[places.documents], name_rarity, name_share, np.zeros(len(places.documents)))
    _add_neighbours(merits, question, phrases, places.documents, chosen)
    if cosines is not None and (meaning := meaning_of(cosines, merits.scores, chosen)):
        merits.meaning = meaning
        merits.scores += meaning.gains
    if places.server_count > 1:
        _add_server(merits, question, places)
    return merits


def add_exact(merits: Merits, typed: Sequence[int], spoken: Sequence[int]) -> None:
    """Lift tools whose name is the query above all others, those named letter by letter above the rest of them."""
    best = 1 + float(merits.scores.max(initial=0.0))
    merits.exact = dict.fromkeys(spoken, best) | dict.fromkeys(typed, 2 * best)
    for place, lift in merits.exact.items():
        merits.scores[place] += lift


def pair_value(pair: tuple[str, str], known: Mapping[str, Sense]) -> float:
    return min(known[term].weights.rarity for term in pair)


def _words(question: Question, size: int) -> Array:
    """The score of the words alone, by document; in each document the best sense of a word counts."""
    scores = np.zeros(size + 1)
    for word in question.words:
        first, *others = word.senses
        if not others:
            scores[first.weights.documents] += first.discount * first.weights.scores(question.trust)
            continue
        best = np.zeros(size + 1)
        for sense in word.senses:
            at = sense.weights.documents
            best[at] = np.maximum(best[at], sense.discount * sense.weights.scores(question.trust))
        scores += best
    return scores


def _names(question: Question, weighing: Weighing) -> tuple[Array, Array]:
    """The rarities of the words that are in each document's name, added up, and the share of the name that they are."""
    size = weighing.postings.size
    rarity, count = np.zeros(size + 1), np.zeros(size + 1)
    for own in question.known.values():
        rarity[own.weights.named] += own.weights.rarity
        count[own.weights.named] += 1
    return rarity, np.minimum(1.0, count / weighing.name_lengths)


def _add_neighbours(
    merits: Merits, question: Question, phrases: Phrases, documents: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> None:
    known = question.known
    pairs = frozenset(pair for pair in question.pairs if known.keys() >= set(pair))
    if not pairs:
        return
    best = np.array(top_places(merits.scores * chosen, LOOKED_AT), np.int64)
    has = {term: known[term].weights.having(documents[best]) for term in set(chain.from_iterable(pairs))}
    both = np.logical_or.reduce([has[left] & has[right] for left, right in pairs])
    for place in best[both].tolist():
        if shared := phrases.shared(place, pairs):
            merits.neighbours[place] = shared
            merits.scores[place] += ADJACENT * sum(pair_value(pair, known) for pair in shared)


def _add_server(merits: Merits, question: Question, places: Places) -> None:
    """A long query is a task, and a task's tools are often of one server."""
    found = np.flatnonzero(merits.scores > 0)
    servers, best = places.servers[found], np.zeros(places.server_count)
    np.maximum.at(best, servers, merits.scores[found])
    merits.server_best[found] = best[servers]
    merits.scores += question.length * merits.server_best
