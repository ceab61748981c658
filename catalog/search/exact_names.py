"""Which tools a query names: a name as typed, or its words in order, with or without the server before them."""

import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache

import numpy as np

from catalog.search.engine import Changed, Corpus
from catalog.tools import ToolSpec

Forms = Callable[[ToolSpec], Iterable[str]]
"""What a tool is called; a form once."""


class _Called:
    """The places of tools by the hashes of what they are called. The forms themselves would take ten times the room."""

    def __init__(self, tools: Sequence[ToolSpec], forms: Forms) -> None:
        self._forms = forms
        hashes, places = array("q"), array("i")
        for place, tool in enumerate(tools):
            for form in forms(tool):
                hashes.append(hash(form))
                places.append(place)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._places = np.array(hashes, np.int64)[order], np.array(places, np.int32)[order]

    def so(self, called: str, tools: Sequence[ToolSpec]) -> list[int]:
        """The places of those that are called so, ascending."""
        first, last = (int(self._hashes.searchsorted(hash(called), side)) for side in ("left", "right"))
        return [place for place in self._places[first:last].tolist() if called in self._forms(tools[place])]


class ExactNames:
    def __init__(self, corpus: Corpus) -> None:
        self._tools = corpus.tools
        self._typed = _Called(corpus.tools, lambda tool: (tool.name,))
        self._spoken = _Called(corpus.tools, _spoken)

    def updated(self, corpus: Corpus, changed: Changed) -> "ExactNames":
        """An edit changes no name."""
        follower = copy(self)
        follower._tools = corpus.tools
        return follower

    def typed(self, query: str) -> Sequence[int]:
        """Places of the tools whose name this is, letter by letter."""
        return self._typed.so(query.strip(), self._tools)

    def spoken(self, query: str) -> Sequence[int]:
        """Places of the tools whose name this is but for case and what stands between its words."""
        return self._spoken.so(_letters(query), self._tools)


def _spoken(tool: ToolSpec) -> set[str]:
    return {_letters(name) for name in _names(tool)} - {""}


def _names(tool: ToolSpec) -> Iterator[str]:
    for name in (tool.name, tool.upstream_name):
        if name:
            yield name
            yield f"{tool.server} {name}"


@lru_cache(maxsize=1 << 12)
def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())
