"""The vectors of a corpus that is measured and goes away: made when the first of them is asked for, and not kept."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.embedding.embedder import Embedder, Rows
from catalog.embedding.filling import Progress, fill
from catalog.embedding.query_vectors import QueryVectors
from catalog.embedding.texts import texts_of
from catalog.embedding.tool_vectors import ToolVectors
from catalog.tools import ToolSpec


class VectorsAtOnce(ToolVectors):
    """An engine that compares no meanings costs nothing. Asking for the matrix raises EmbeddingFailedError."""

    def __init__(self, embedder: Embedder, tools: Sequence[ToolSpec], progress: Progress = lambda made: None) -> None:
        super().__init__(QueryVectors(embedder))
        self._tools = tools
        self._progress = progress

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        if self._matrix is None:
            embedder = self._queries.embedder
            fill(self, texts_of(self._tools, embedder), embedder, _NothingKept(), self._progress)
        return self._matrix


class _NothingKept:
    def read(self, digests: Sequence[str]) -> dict[str, Rows]:
        return {}

    def write(self, rows: Mapping[str, Rows]) -> None:
        """A corpus that goes away takes its vectors with it."""
