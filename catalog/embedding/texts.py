"""The texts of a corpus that are embedded, and what their vectors are kept under."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.embedding.embedder import Embedder
from catalog.search.vectors import meaning_text
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a corpus by their digests, and the digest of each tool's, in corpus order."""

    by_digest: Mapping[str, str]
    order: Sequence[str]


def texts_of(tools: Sequence[ToolSpec], embedder: Embedder) -> Texts:
    texts = [meaning_text(tool) for tool in tools]
    order = [_digest(embedder, text) for text in texts]
    return Texts(dict(zip(order, texts, strict=True)), order)


def _digest(embedder: Embedder, text: str) -> str:
    """What a text's vector is kept under: another model gives another vector."""
    return hashlib.sha256(f"{embedder.identity}\0{text}".encode("utf-8", "backslashreplace")).hexdigest()
