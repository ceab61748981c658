"""The vectors of one corpus, as they are being made."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catalog.embedding.embedder import EmbeddingFailedError, Rows
from catalog.embedding.query_vectors import QueryVectors, told
from catalog.embedding.texts import texts_of
from catalog.search.vectors import NoVectorsError
from catalog.tools import ToolSpec


class ToolVectors:
    """What `catalog.search.vectors.Vectors` asks for. One thread fills it, any may read."""

    def __init__(self, queries: QueryVectors) -> None:
        self.made = 0
        self.problem = ""
        self._queries = queries
        self._matrix: NDArray[np.float32] | None = None
        self._order: Sequence[str] = ()

    @property
    def model(self) -> str:
        return self._queries.embedder.name

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        return self._matrix

    def complete(self, rows: Mapping[str, Rows], order: Sequence[str]) -> None:
        """`order` names the row of each tool. Raises ValueError if they are not all of one length."""
        matrix = np.stack([rows[name] for name in order]) if order else np.zeros((0, 0), np.float32)
        self.made, self.problem, self._order, self._matrix = len(order), "", order, matrix

    def over(self, tools: Sequence[ToolSpec]) -> "ToolVectors":
        other = ToolVectors(self._queries)
        matrix = self.matrix
        if matrix is None:
            return other
        texts = texts_of(tools, self._queries.embedder)
        rows = dict(zip(self._order, matrix, strict=True))
        try:
            rows |= self._made({digest: text for digest, text in texts.by_digest.items() if digest not in rows})
            other.complete(rows, texts.order)
        except EmbeddingFailedError as error:
            other.problem = told(self._queries.embedder, error)
        return other

    def _made(self, texts: Mapping[str, str]) -> Iterator[tuple[str, Rows]]:
        embedder, digests = self._queries.embedder, list(texts)
        for start in range(0, len(digests), embedder.batch):
            batch = digests[start : start + embedder.batch]
            yield from zip(batch, embedder.embed([texts[digest] for digest in batch]), strict=True)

    def query(self, text: str) -> NDArray[np.float32]:
        row = self._queries.of(text)
        if self._matrix is not None and len(row) != self._matrix.shape[1]:
            raise NoVectorsError(f"The model {self.model} answers with vectors of another length than the tools have.")
        return row
