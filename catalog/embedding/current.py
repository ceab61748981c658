"""The model that the settings name, and the vectors of a catalog's tools, made in the background."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import cache, partial
from threading import Lock
from time import monotonic

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from catalog import background
from catalog.embedding.embedder import Embedder, EmbeddingFailedError
from catalog.embedding.filling import fill, take_kept
from catalog.embedding.litellm_embedder import LiteLLMEmbedder
from catalog.embedding.local import LOCAL, LocalEmbedder
from catalog.embedding.query_vectors import PAUSE, QueryVectors, told
from catalog.embedding.store import Store, sweep
from catalog.embedding.texts import texts_of
from catalog.embedding.tool_vectors import ToolVectors
from catalog.outbound import http_transport
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

log = logging.getLogger(__name__)
FIRST_WAIT = 1.0
"""Seconds that a search waits for what is missing: the vectors of a few changed tools are there by then."""


def vectors_of(tools: Sequence[ToolSpec]) -> Vectors | None:
    """The vectors of a corpus, those missing begun; None if no model is set up."""
    queries = current_queries()
    return GrowingVectors(queries, tools) if queries else None


@cache
def current_queries() -> QueryVectors | None:
    """The queries put to the model that PEGBOARD_EMBEDDINGS names. What it needs is imported when it is first asked."""
    return QueryVectors(embedder_named(named)) if (named := settings.PEGBOARD_EMBEDDINGS) else None


def embedder_named(named: str) -> Embedder:
    """`local`, or a model as LiteLLM takes it, reached as the settings say."""
    if named == LOCAL:
        return LocalEmbedder()
    url, key = settings.PEGBOARD_EMBEDDINGS_URL, settings.PEGBOARD_EMBEDDINGS_KEY
    # The operator wrote the address, and may mean a private one.
    transport = partial(http_transport, allow_private=bool(url))
    return LiteLLMEmbedder(named, url, key, open_transport=transport)


class GrowingVectors(ToolVectors):
    """Vectors of which the missing ones are made on another thread, corpus by corpus.

    Whoever asks for them when that has failed begins it anew, after a pause.
    """

    def __init__(self, queries: QueryVectors, tools: Sequence[ToolSpec]) -> None:
        super().__init__(queries)
        self._texts = texts_of(tools, queries.embedder)
        self._beginning = Lock()
        self._making: Future[None] | None = None
        self._rests_until = 0.0
        if not take_kept(self, self._texts, Store()):
            wait([self._begun()], FIRST_WAIT)

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        if self._matrix is None:
            self._begun()
        return self._matrix

    def _begun(self) -> "Future[None]":
        with self._beginning:
            if self._making is None or (self._making.done() and monotonic() > self._rests_until):
                self._making = background.submit_in_line(self._make)
            return self._making

    def _make(self) -> None:
        try:
            fill(self, self._texts, self._queries.embedder, Store(), lambda made: background.go_on())
            sweep()
        except EmbeddingFailedError as error:
            self.problem = told(self._queries.embedder, error)
            log.warning(self.problem)
        finally:
            self._rests_until = monotonic() + PAUSE
