"""The vectors of one corpus, as they are being made."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.embedding.embedder import Rows
from catalog.embedding.query_vectors import QueryVectors
from catalog.search.vectors import NoVectorsError


class ToolVectors:
    """What `catalog.search.vectors.Vectors` asks for. One thread fills it, any may read."""

    def __init__(self, queries: QueryVectors) -> None:
        self.made = 0
        self.problem = ""
        self._queries = queries
        self._matrix: NDArray[np.float32] | None = None

    @property
    def model(self) -> str:
        return self._queries.embedder.name

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        return self._matrix

    def complete(self, rows: Mapping[str, Rows], order: Sequence[str]) -> None:
        """`order` names the row of each tool. Raises ValueError if they are not all of one length."""
        matrix = np.stack([rows[name] for name in order]) if order else np.zeros((0, 0), np.float32)
        self.made, self.problem, self._matrix = len(order), "", matrix

    def query(self, text: str) -> NDArray[np.float32]:
        row = self._queries.of(text)
        if self._matrix is not None and len(row) != self._matrix.shape[1]:
            raise NoVectorsError(f"The model {self.model} answers with vectors of another length than the tools have.")
        return row
