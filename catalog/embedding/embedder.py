"""What makes vectors of texts."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
"""One vector a row, each of length 1: the dot product of two is the cosine of their angle."""


class EmbeddingFailedError(Exception):
    """No vectors could be had. The message is a clause that may be shown, `the endpoint answered 401`; it holds no key."""


class Embedder(Protocol):
    name: str
    """The model, as a reader is told of it."""
    identity: str
    """What its vectors are kept under; vectors of different identities are never compared."""
    batch: int
    """Texts that are best given at once."""

    def embed(self, texts: Sequence[str]) -> Rows:
        """A row for each text, in order. Raises EmbeddingFailedError."""
        ...


def unit_rows(rows: Rows) -> Rows:
    """The rows, each stretched to length 1. A row of zeros, which says nothing, stays one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Rows = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled


def plain_text(text: str) -> str:
    """A text that can be told in UTF-8, which lone surrogates cannot, and that is not empty, which models refuse."""
    return text.encode("utf-8", "replace").decode() or " "
