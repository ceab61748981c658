"""What makes vectors of texts."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
"""One vector a row, each of length 1: the dot product of two is the cosine of their angle."""


class EmbeddingFailedError(Exception):
    """No vectors could be had. The message is a sentence that may be shown; it holds no key."""


class Embedder(Protocol):
    name: str
    """The model, as `litellm` and the settings write it; vectors of different names are never compared."""
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
