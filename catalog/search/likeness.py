"""How alike two words look: the share of their letters, and of their pairs of neighbouring letters, that both have."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Changed, Corpus
from catalog.search.vocabulary import DescriptionWords, NameWords

LENGTHS = range(3, 33)
"""Letters of words that are compared: two letters look like too much."""


class Likeness:
    """Compares a word with each of many at once. The ends of a word count as letters of its pairs."""

    def __init__(self, words: Iterable[str], known: "Likeness | None" = None) -> None:
        """Beside the words that another has compared with."""
        fresh = [word for word in words if len(word) in LENGTHS]
        before = () if known is None else known.words
        self.words: tuple[str, ...] = (*before, *fresh)
        found: dict[tuple[str, int], list[int]] = {}
        for place, word in enumerate(fresh, start=len(before)):
            for feature in _features(word):
                found.setdefault(feature, []).append(place)
        self._found: dict[tuple[str, int], NDArray[np.int32]] = {} if known is None else dict(known._found)
        for feature, places in found.items():
            self._found[feature] = np.append(self._found.get(feature, _NOWHERE), np.array(places, np.int32))
        self._sizes = np.array([_size(word) for word in self.words], np.float64)

    def to(self, word: str, least: float) -> list[tuple[str, float]]:
        """The words that are alike by `least` or more, from 0 to 1: the Dice coefficient of letters and pairs."""
        if len(word) not in LENGTHS:
            return []
        alike = 2 * self._shared(word) / (self._sizes + _size(word))
        return sorted((self.words[place], float(alike[place])) for place in np.flatnonzero(alike >= least).tolist())

    def _shared(self, word: str) -> NDArray[np.float64]:
        shared = np.zeros(len(self.words))
        for feature in _features(word):
            if (places := self._found.get(feature)) is not None:
                shared[places] += 1
        return shared


class WordLikeness(Likeness):
    """With the words of a corpus' names and descriptions, and some that were there before an edit."""

    def __init__(self, corpus: Corpus, known: "WordLikeness | None" = None) -> None:
        words = dict.fromkeys((*corpus.shared(NameWords), *corpus.shared(DescriptionWords)))
        self._all = frozenset(words)
        super().__init__(words if known is None else self._all - known._all, known)
        if known is not None:
            self._all |= known._all

    def updated(self, corpus: Corpus, changed: Changed) -> "WordLikeness":
        return WordLikeness(corpus, self)


_NOWHERE = np.array([], np.int32)


def _features(word: str) -> Iterator[tuple[str, int]]:
    """Letters and pairs, the first, second and third of a kind apart."""
    ended = f"^{word}$"
    counts = Counter([*word, *(ended[at : at + 2] for at in range(len(ended) - 1))])
    return ((part, number) for part, count in counts.items() for number in range(count))


def _size(word: str) -> int:
    return 2 * len(word) + 1
