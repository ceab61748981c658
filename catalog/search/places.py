"""Where the tools of a corpus stand in its index, and which of them a search is about."""

from collections.abc import Sequence

import numpy as np

from catalog.search.documents import index_key
from catalog.search.engine import Corpus
from catalog.search.postings import Postings
from catalog.search.scope import Scope


class Places(Scope):
    """Arrays in corpus order. `documents` are document numbers, the index's size for a tool that it does not have."""

    def __init__(self, corpus: Corpus) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        super().__init__(corpus.tools)
        self.postings = Postings(corpus.index)
        size, keys = self.postings.size, self.postings.keys
        numbers = [keys.get(index_key(tool.name), size) for tool in corpus.tools]
        self.documents = np.array(numbers, np.int64)

    def notes(self) -> Sequence[str]:
        missing = int(np.count_nonzero(self.documents == self.postings.size))
        if not missing:
            return ()
        return (
            f"{missing:,} tool{'' if missing == 1 else 's'} {'is' if missing == 1 else 'are'} not in the index yet",
        )
