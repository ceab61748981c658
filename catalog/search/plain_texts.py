"""Names and descriptions without punctuation and capitals, and which of them have a string in them."""

import re
from copy import copy

import numpy as np

from catalog.search.engine import Changed, Corpus
from catalog.search.matches import utf8
from catalog.search.pattern_texts import PatternTexts
from catalog.tools import ToolSpec

_SEPARATORS = re.compile(r"[\W_]+")


class PlainTexts:
    def __init__(self, corpus: Corpus) -> None:
        self._tools = corpus.tools
        self._texts = PatternTexts([_encoded(tool) for tool in corpus.tools])
        self.name_words = np.array([plain(tool.name).count(" ") + 1 for tool in corpus.tools], np.int64)

    def updated(self, corpus: Corpus, changed: Changed) -> "PlainTexts":
        follower = copy(self)
        follower._tools = corpus.tools
        follower._texts = self._texts.updated({place: _encoded(corpus.tools[place]) for place in changed})
        return follower

    def having(self, query: str) -> list[int]:
        """The places of tools that may have it in a text, and all that do, ascending."""
        return self._texts.holding(utf8(query))

    def text(self, place: int, field: str) -> str:
        """The name or the description of the tool."""
        return plain(getattr(self._tools[place], field))


def plain(text: str) -> str:
    """Lower case, with one space for each run of separators."""
    return _SEPARATORS.sub(" ", text).strip().lower()


def _encoded(tool: ToolSpec) -> tuple[bytes, bytes]:
    return utf8(plain(tool.name)), utf8(plain(tool.description))
