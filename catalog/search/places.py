"""Where the tools of a corpus stand in its index, and which of them a search is about."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from catalog.search.documents import index_key
from catalog.search.engine import Changed, Corpus
from catalog.search.postings import Postings
from catalog.search.scope import Scope
from catalog.search.segments import Segment


class Places(Scope):
    """Arrays in corpus order. `documents` are document numbers, the index's size for a tool that it does not have."""

    def __init__(self, corpus: Corpus) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        super().__init__(corpus.tools)
        keys = [index_key(tool.name) for tool in corpus.tools]
        self._by_key = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._keys = np.array([self._by_key[key] for key in keys], np.int64)
        self._by_segment: dict[str, NDArray[np.int64]] = {}
        self._open(Postings(corpus.index))

    def updated(self, corpus: Corpus, changed: Changed) -> "Places":
        """Of the index, only what was written since is read."""
        follower = copy(self)
        follower._open(Postings(corpus.index, self.postings))
        return follower

    def notes(self) -> Sequence[str]:
        missing = int(np.count_nonzero(self.documents == self.postings.size))
        if not missing:
            return ()
        return (
            f"{missing:,} tool{'' if missing == 1 else 's'} {'is' if missing == 1 else 'are'} not in the index yet",
        )

    def _open(self, postings: Postings) -> None:
        self.postings = postings
        known, self._by_segment = self._by_segment, {}
        documents = np.full(len(self._by_key), postings.size, np.int64)
        for placed in postings.segments:
            numbers = known[placed.name] if placed.name in known else self._numbered(placed.segment)
            here = (numbers >= 0) & postings.live[placed.first : placed.first + placed.segment.size]
            documents[numbers[here]] = placed.first + np.flatnonzero(here)
            self._by_segment[placed.name] = numbers
        self.documents = documents[self._keys]

    def _numbered(self, segment: Segment) -> NDArray[np.int64]:
        """The number of each document's key, -1 for one that no tool of the corpus has."""
        numbers = np.full(segment.size, -1)
        for key, document in segment.keys.items():
            numbers[document] = self._by_key.get(key, -1)
        return numbers
