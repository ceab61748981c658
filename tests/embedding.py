"""Embedding models for tests: the local one, embedding each text once in a session, and one that counts letters."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from catalog.embedding.at_once import VectorsAtOnce
from catalog.embedding.embedder import EmbeddingFailedError, Rows, unit_rows
from catalog.embedding.local import LocalEmbedder, weights_folder
from catalog.tools import ToolSpec
from tests.conftest import lacking
from tests.model_endpoint import letters_of


class RememberingEmbedder(LocalEmbedder):
    """The local model, which remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Rows] = {}

    def embed(self, texts: Sequence[str]) -> Rows:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known |= zip(fresh, super().embed(fresh), strict=True)
        return np.stack([self._known[text] for text in texts])


@cache
def local_model() -> LocalEmbedder:
    if weights_folder() is None:
        lacking("The local embedding model")
    return RememberingEmbedder()


def vectors_of(tools: Sequence[ToolSpec]) -> VectorsAtOnce:
    return VectorsAtOnce(local_model(), tuple(tools))


class LettersEmbedder:
    """Embeds a text as how often it has each letter; refuses after `most` texts. `asked` holds what it was given."""

    name = identity = "letters"
    batch = 2

    def __init__(self, most: int = 1_000) -> None:
        self.asked: list[str] = []
        self.most = most

    def embed(self, texts: Sequence[str]) -> Rows:
        if len(self.asked) + len(texts) > self.most:
            raise EmbeddingFailedError("it is tired")
        self.asked.extend(texts)
        return unit_rows(np.array([letters_of(text) for text in texts], np.float32))
