"""Names and descriptions without punctuation and capitals, and which of them have a string in them."""

import re
from collections.abc import Iterator
from copy import copy

import numpy as np

from catalog.search.engine import Changed, Corpus
from catalog.search.pattern_texts import PatternTexts
from catalog.tools import ToolSpec

_SEPARATORS = re.compile(r"[\W_]+")


class PlainTexts:
    def __init__(self, corpus: Corpus) -> None:
        self._texts = PatternTexts([_encoded(tool) for tool in corpus.tools])
        self.name_words = np.array([plain(tool.name).count(" ") + 1 for tool in corpus.tools], np.int64)

    def updated(self, corpus: Corpus, changed: Changed) -> "PlainTexts":
        follower = copy(self)
        follower._texts = self._texts.updated({place: _encoded(corpus.tools[place]) for place in changed})
        return follower

    def having(self, query: str) -> Iterator[tuple[int, str, str]]:
        """The places of tools that have it in a text, ascending, each with the name and the description."""
        for place in self._texts.holding(query.encode()):
            name, description = self._texts.of(place)
            yield place, name.decode(), description.decode()


def plain(text: str) -> str:
    """Lower case, with one space for each run of what is neither letter nor digit, lone surrogates among it."""
    return _SEPARATORS.sub(" ", text).strip().lower()


def _encoded(tool: ToolSpec) -> tuple[bytes, bytes]:
    return plain(tool.name).encode(), plain(tool.description).encode()
