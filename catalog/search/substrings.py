"""Which of many texts have a string in them, sought in their distinct words, which are far fewer than the texts."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from catalog.search.token_lists import TokenLists

BETWEEN = "\n"
"""Parts the words where they are all sought at once; what is sought has no white space."""
KEPT = 128
"""Parts of words whose finding is remembered: queries have many words in common."""


class Substrings:
    """Texts, each given as its words, told by their places. What is sought must not span two words."""

    def __init__(self, texts: Iterable[Iterable[str]], size: int) -> None:
        """`size` is the number of texts, which are read once, each let go before the next."""
        self._know(TokenLists(enumerate(texts)), size)

    def updated(self, before: Mapping[int, Iterable[str]], after: Mapping[int, Iterable[str]]) -> "Substrings":
        """The same but for the texts of some places: their words before and after."""
        if before == after:
            return self
        follower = Substrings((), 0)
        follower._know(self._lists.moved(before, after), self._size)
        return follower

    def having(self, word: str) -> NDArray[np.int32]:
        """The places of texts with exactly this word."""
        return self._lists.of(word).places

    def _know(self, lists: TokenLists, size: int) -> None:
        self._lists, self._size = lists, size
        self._words = [*lists]
        self._joined = BETWEEN.join(self._words)
        lengths = np.fromiter(map(len, self._words), np.int64, len(self._words))
        self._ends = np.cumsum(lengths + len(BETWEEN))
        self.containing = lru_cache(KEPT)(self._containing)

    def _containing(self, part: str) -> NDArray[np.bool_]:
        """Whether each text has a word that contains `part`, which is not empty. Not to be written to."""
        mask = np.zeros(self._size, bool)
        if found := [self._lists.of(word).places for word in self._words_with(part)]:
            mask[np.concatenate(found)] = True
        return mask

    def _words_with(self, part: str) -> list[str]:
        found = []
        at = self._joined.find(part)
        while at >= 0:
            found.append(at)
            at = self._joined.find(part, at + 1)
        return [self._words[number] for number in np.unique(self._ends.searchsorted(found, "right"))]
