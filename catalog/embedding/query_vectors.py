"""The vectors of queries, kept in memory; a model that fails is left alone for a while."""

import threading
from collections import OrderedDict
from time import monotonic

from catalog.embedding.embedder import Embedder, EmbeddingFailedError, Rows
from catalog.search.vectors import NoVectorsError

MOST_KEPT = 2_048
PAUSE = 60.0
"""Seconds after a failure in which a model is not asked again."""


class QueryVectors:
    """The queries put to one model, by any corpus and any thread."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[str, Rows] = OrderedDict()
        self._problem = ""
        self._until = 0.0
        self._guard = threading.Lock()

    def of(self, text: str) -> Rows:
        """The vector of a text. Raises NoVectorsError."""
        with self._guard:
            if (known := self._kept.get(text)) is not None:
                self._kept.move_to_end(text)
                return known
            if monotonic() < self._until:
                raise NoVectorsError(self._problem)
        return self._ask(text)

    def _ask(self, text: str) -> Rows:
        try:
            row: Rows = self.embedder.embed([text])[0]
        except EmbeddingFailedError as error:
            self._problem, self._until = told(self.embedder, error), monotonic() + PAUSE
            raise NoVectorsError(self._problem) from None
        with self._guard:
            self._kept[text] = row
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return row


def told(embedder: Embedder, error: EmbeddingFailedError) -> str:
    """A failure as a sentence."""
    return f"The model {embedder.name} gave no vectors: {error}."
