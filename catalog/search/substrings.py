"""Which of many texts have a string in them, sought in their distinct words, which are far fewer than the texts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

BETWEEN = "\n"
"""Parts the words where they are all sought at once; what is sought has no white space."""
KEPT = 128
"""Parts of words whose finding is remembered: queries have many words in common."""
Lists = dict[str, NDArray[np.int32]]
_NOWHERE = np.array([], np.int32)


class Substrings:
    """Texts, each given as its words, told by their places. What is sought must not span two words."""

    def __init__(self, texts: Sequence[Iterable[str]]) -> None:
        self._know(_by_word(dict(enumerate(texts))), len(texts))

    def updated(self, before: Mapping[int, Iterable[str]], after: Mapping[int, Iterable[str]]) -> "Substrings":
        """The same but for the texts of some places: their words before and after."""
        follower = Substrings(())
        follower._know(_moved(self._places, before, after), self._size)
        return follower

    def having(self, word: str) -> NDArray[np.int32]:
        """The places of texts with exactly this word."""
        return self._places.get(word, _NOWHERE)

    def _know(self, places: Lists, size: int) -> None:
        self._places, self._size = places, size
        self._lists = [*places.values()]
        self._joined = BETWEEN.join(places)
        lengths = np.fromiter((len(word) + len(BETWEEN) for word in places), np.int64, len(places))
        self._ends = np.cumsum(lengths)
        self.containing = lru_cache(KEPT)(self._containing)

    def _containing(self, part: str) -> NDArray[np.bool_]:
        """Whether each text has a word that contains `part`, which is not empty. Not to be written to."""
        mask = np.zeros(self._size, bool)
        if found := [self._lists[number] for number in self._words_with(part)]:
            mask[np.concatenate(found)] = True
        return mask

    def _words_with(self, part: str) -> list[int]:
        """The numbers of the words that contain it."""
        found = []
        at = self._joined.find(part)
        while at >= 0:
            found.append(at)
            at = self._joined.find(part, at + 1)
        numbers: list[int] = np.unique(self._ends.searchsorted(found, "right")).tolist()
        return numbers


def _moved(places: Lists, before: Mapping[int, Iterable[str]], after: Mapping[int, Iterable[str]]) -> Lists:
    """The places by word once the texts of some places have changed; a word that no text has any more keeps an empty list."""
    left, come = _by_word(before), _by_word(after)
    found = dict(places)
    for word in left.keys() | come.keys():
        stay = np.setdiff1d(found.get(word, _NOWHERE), left.get(word, _NOWHERE), assume_unique=True)
        found[word] = np.union1d(stay, come.get(word, _NOWHERE)).astype(np.int32)
    return found


def _by_word(texts: Mapping[int, Iterable[str]]) -> Lists:
    found: dict[str, list[int]] = {}
    for place, words in texts.items():
        for word in set(words):
            found.setdefault(word, []).append(place)
    return {word: np.array(places, np.int32) for word, places in found.items()}
