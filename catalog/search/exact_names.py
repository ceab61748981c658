"""Which tools a query names: a name as typed, or its words in order, with or without the server before them."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from catalog.search.engine import Changed, Corpus
from catalog.tools import ToolSpec


class ExactNames:
    def __init__(self, corpus: Corpus) -> None:
        self._typed: dict[str, list[int]] = {}
        self._spoken: dict[str, list[int]] = {}
        for place, tool in enumerate(corpus.tools):
            self._typed.setdefault(tool.name, []).append(place)
            for form in {_letters(name) for name in _names(tool)} - {""}:
                self._spoken.setdefault(form, []).append(place)

    def updated(self, corpus: Corpus, changed: Changed) -> "ExactNames":
        """An edit changes no name."""
        return self

    def typed(self, query: str) -> Sequence[int]:
        """Places of the tools whose name this is, letter by letter."""
        return self._typed.get(query.strip(), ())

    def spoken(self, query: str) -> Sequence[int]:
        """Places of the tools whose name this is but for case and what stands between its words."""
        return self._spoken.get(_letters(query), ())


def _names(tool: ToolSpec) -> Iterator[str]:
    for name in (tool.name, tool.upstream_name):
        if name:
            yield name
            yield f"{tool.server} {name}"


@lru_cache(maxsize=1 << 12)
def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())
