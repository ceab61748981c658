"""Which of many texts have a string in them, sought in their distinct words, which are far fewer than the texts."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class Substrings:
    """Texts, each given as its words, told by their places. What is sought must not span two words."""

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        found: dict[str, list[int]] = {}
        for place, words in enumerate(texts):
            for word in set(words):
                found.setdefault(word, []).append(place)
        self._places = {word: np.array(places, np.int64) for word, places in found.items()}

    def containing(self, part: str) -> NDArray[np.int64]:
        """The places of texts with a word that contains `part`; a text with several comes several times."""
        found = [places for word, places in self._places.items() if part in word]
        return np.concatenate(found) if found else np.array([], np.int64)

    def having(self, word: str) -> NDArray[np.int64]:
        """The places of texts with exactly this word."""
        return self._places.get(word, np.array([], np.int64))
