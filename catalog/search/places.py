"""Where the tools of a corpus stand in its index, and which of them a search is about."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.search.documents import index_key
from catalog.search.engine import Corpus
from catalog.search.postings import Postings


class Places:
    """Arrays in corpus order. `documents` are document numbers, the index's size for a tool that it does not have."""

    def __init__(self, corpus: Corpus, postings: Postings) -> None:
        self._size = postings.size
        numbers = [postings.keys.get(index_key(tool.name), postings.size) for tool in corpus.tools]
        self.documents = np.array(numbers, np.int64)
        self._numbers = {
            server: number for number, server in enumerate(dict.fromkeys(tool.server for tool in corpus.tools))
        }
        self.servers = np.array([self._numbers[tool.server] for tool in corpus.tools], np.int64)
        self.server_count = len(self._numbers)

    def chosen(self, servers: frozenset[str]) -> NDArray[np.bool_]:
        """Whether each tool is of one of the servers; all are if none is named."""
        if not servers:
            return np.ones(len(self.documents), bool)
        return np.isin(self.servers, [number for server, number in self._numbers.items() if server in servers])

    def notes(self) -> Sequence[str]:
        missing = int(np.count_nonzero(self.documents == self._size))
        if not missing:
            return ()
        return (
            f"{missing:,} tool{'' if missing == 1 else 's'} {'is' if missing == 1 else 'are'} not in the index yet",
        )


def best_places(scores: NDArray[np.float64], count: int) -> list[int]:
    """The places of the highest scores, highest first, equal ones in order."""
    if not count:
        return []
    least = np.partition(scores, -count)[-count]
    places = np.flatnonzero(scores >= least)
    best: list[int] = places[np.argsort(-scores[places], kind="stable")][:count].tolist()
    return best
