"""How alike two words look: the share of their letters, and of their pairs of neighbouring letters, that both have."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

LENGTHS = range(3, 33)
"""Letters of words that are compared: two letters look like too much."""


class Likeness:
    """Compares a word with each of many at once. The ends of a word count as letters of its pairs."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(word for word in words if len(word) in LENGTHS)
        found: dict[tuple[str, int], list[int]] = {}
        for place, word in enumerate(self.words):
            for feature in _features(word):
                found.setdefault(feature, []).append(place)
        self._found = {feature: np.array(places, np.int32) for feature, places in found.items()}
        self._sizes = np.array([_size(word) for word in self.words], np.float64)

    def to(self, word: str, least: float) -> Iterator[tuple[str, float]]:
        """The words that are alike by `least` or more, from 0 to 1: the Dice coefficient of letters and pairs."""
        if len(word) not in LENGTHS:
            return
        alike = 2 * self._shared(word) / (self._sizes + _size(word))
        for place in np.flatnonzero(alike >= least).tolist():
            yield self.words[place], float(alike[place])

    def _shared(self, word: str) -> NDArray[np.float64]:
        shared = np.zeros(len(self.words))
        for feature in _features(word):
            if (places := self._found.get(feature)) is not None:
                shared[places] += 1
        return shared


def _features(word: str) -> Iterator[tuple[str, int]]:
    """Letters and pairs, the first, second and third of a kind apart."""
    ended = f"^{word}$"
    counts = Counter([*word, *(ended[at : at + 2] for at in range(len(ended) - 1))])
    return ((part, number) for part, count in counts.items() for number in range(count))


def _size(word: str) -> int:
    return 2 * len(word) + 1
