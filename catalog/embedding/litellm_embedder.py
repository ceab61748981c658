"""The embedding models that LiteLLM reaches. Every request goes out by a transport of ours, through the outbound gate."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np

from catalog.embedding.embedder import EmbeddingFailedError, Rows, plain_text, unit_rows
from catalog.embedding.providers import OVER_HTTP
from catalog.litellm_library import connection_over, litellm_library
from catalog.redaction import Redactor

NO_KEY = "no-key"
"""Sent where no key is set, so that none is taken from the environment and sent to a stranger's address."""
LONGEST_TEXT = 8_192
"""Characters of a text that are sent: most models refuse a text that is longer than they read."""
MOST_SAID = 300


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds until an answer must be whole: a person waits for a single text, which is a query."""

    one: float = 5.0
    many: float = 60.0


DEFAULT_PATIENCE = Patience()
_threads = ThreadPoolExecutor(4, thread_name_prefix="embedding")
"""Each request has an event loop of its own there, whether or not one runs where the texts come from."""


class LiteLLMEmbedder:
    """`name` as LiteLLM takes it, `provider/model`."""

    batch = 64

    def __init__(
        self,
        name: str,
        url: str = "",
        key: str = "",
        patience: Patience = DEFAULT_PATIENCE,
        open_transport: Callable[[], httpx.AsyncBaseTransport] = httpx.AsyncHTTPTransport,
    ) -> None:
        self.name = name
        self.identity = f"{name} {url}".strip()
        self._url = url
        self._key = key or NO_KEY
        self._patience = patience
        self._open_transport = open_transport
        self._redactor = Redactor([key] if key else [])

    def embed(self, texts: Sequence[str]) -> Rows:
        seconds = self._patience.one if len(texts) == 1 else self._patience.many
        litellm = litellm_library()
        answer = _threads.submit(asyncio.run, self._ask(litellm, [_cut(text) for text in texts], seconds)).result()
        return _rows(answer, len(texts))

    async def _ask(self, litellm: Any, texts: list[str], seconds: float) -> Any:
        """The answer as LiteLLM gives it. Raises EmbeddingFailedError."""
        async with self._open_transport() as inner:
            wire = _Wire(inner, seconds)
            try:
                by_handler = self.name.partition("/")[0] in OVER_HTTP
                connection = connection_over(wire, self.name, self._url, self._key, by_handler=by_handler)
                return await litellm.aembedding(model=self.name, input=texts, **connection, **_ALWAYS)
            except Exception as error:
                said = self._redactor.text(wire.problem(error))
                raise EmbeddingFailedError(" ".join(said.split())[:MOST_SAID]) from None


_ALWAYS = {"num_retries": 0, "max_retries": 0, "drop_params": True, "encoding_format": "float"}
_NO_VECTORS = "the answer holds no vectors"
_OF_THE_CODED_BODY = ("content-encoding", "content-length", "transfer-encoding")


class _Wire(httpx.AsyncBaseTransport):
    """Has the answer whole in time, and notes how that went; LiteLLM's own errors name providers and not what happened."""

    def __init__(self, inner: httpx.AsyncBaseTransport, seconds: float) -> None:
        self._inner = inner
        self._seconds = seconds
        self._status = 0
        self._fault: Exception | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._inner.handle_async_request(request)
                body = await response.aread()
        except Exception as fault:
            self._fault = fault
            raise httpx.TransportError(str(fault)) from None
        self._status = response.status_code
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_CODED_BODY]
        return httpx.Response(self._status, headers=headers, content=body, request=request)

    def problem(self, error: Exception) -> str:
        if isinstance(self._fault, TimeoutError):
            return f"nothing came back within {self._seconds:g} seconds"
        if self._fault is not None:
            return f"the connection failed: {str(self._fault) or type(self._fault).__name__}"
        if self._status == httpx.codes.OK:
            return _NO_VECTORS
        refused = " and refused the key" if self._status in (401, 403) else ""
        return f"the endpoint answered {self._status}{refused}" if self._status else f"LiteLLM sent nothing: {error}"


def _cut(text: str) -> str:
    return plain_text(text[:LONGEST_TEXT])


def _rows(answer: Any, count: int) -> Rows:
    """The vectors in the order of the texts. Raises EmbeddingFailedError for what are not `count` of one length."""
    try:
        ordered = sorted(answer.data, key=lambda each: int(each["index"]))
        rows = np.array([each["embedding"] for each in ordered], np.float32)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise EmbeddingFailedError(_NO_VECTORS) from None
    if rows.ndim != 2 or len(rows) != count or not rows.size or not np.isfinite(rows).all():
        raise EmbeddingFailedError(f"the answer holds no {count} vectors of one length")
    return unit_rows(rows)
