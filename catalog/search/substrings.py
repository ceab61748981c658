"""Which of many texts have a string in them, sought in their distinct words, which are far fewer than the texts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from catalog.search.token_lists import NOWHERE, Lists, listed, moved

BETWEEN = "\n"
"""Parts the words where they are all sought at once; what is sought has no white space."""
KEPT = 128
"""Parts of words whose finding is remembered: queries have many words in common."""


class Substrings:
    """Texts, each given as its words, told by their places. What is sought must not span two words."""

    def __init__(self, texts: Sequence[Iterable[str]]) -> None:
        self._know(listed(enumerate(texts)), len(texts))

    def updated(self, before: Mapping[int, Sequence[str]], after: Mapping[int, Sequence[str]]) -> "Substrings":
        """The same but for the texts of some places: their words before and after."""
        if before == after:
            return self
        follower = Substrings(())
        follower._know(moved(self._lists, before, after), self._size)
        return follower

    def having(self, word: str) -> NDArray[np.int32]:
        """The places of texts with exactly this word."""
        return self._lists.get(word, NOWHERE).places

    def _know(self, lists: Lists, size: int) -> None:
        self._lists, self._size = lists, size
        self._words = [*lists]
        self._joined = BETWEEN.join(lists)
        lengths = np.fromiter(map(len, lists), np.int64, len(lists))
        self._ends = np.cumsum(lengths + len(BETWEEN))
        self.containing = lru_cache(KEPT)(self._containing)

    def _containing(self, part: str) -> NDArray[np.bool_]:
        """Whether each text has a word that contains `part`, which is not empty. Not to be written to."""
        mask = np.zeros(self._size, bool)
        if found := [self._lists[word].places for word in self._words_with(part)]:
            mask[np.concatenate(found)] = True
        return mask

    def _words_with(self, part: str) -> list[str]:
        found = []
        at = self._joined.find(part)
        while at >= 0:
            found.append(at)
            at = self._joined.find(part, at + 1)
        return [self._words[number] for number in np.unique(self._ends.searchsorted(found, "right"))]
