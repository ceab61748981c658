"""The network of all-MiniLM-L6-v2 in NumPy: six BERT layers, then the mean over a text's tokens.

Reimers and Gurevych, Sentence-BERT (2019); Wang et al., MiniLM (2020). Equal to the reference to 1e-6.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from catalog.embedding.embedder import Rows, unit_rows

LAYERS = 6
HEADS = 12
WIDTH = 384
MAX_TOKENS = 256
"""Tokens of a text that are read, its two marks included, as in the reference."""
BLOCK = 64
"""Rows whose activation is computed at once: what fits into a core's cache."""

Array = NDArray[np.float32]
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Abramowitz and Stegun 7.1.26: the error function to 1.5e-7."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A matrix, transposed so that rows are multiplied from the left, and what is added after it."""

    weight: Array
    bias: Array

    def __call__(self, rows: Array) -> Array:
        product: Array = rows @ self.weight
        product += self.bias
        return product


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation, in place."""

    weight: Array
    bias: Array

    def __call__(self, rows: Array) -> Array:
        rows -= rows.mean(-1, keepdims=True)
        rows *= 1 / np.sqrt(np.einsum("ij,ij->i", rows, rows) / WIDTH + np.float32(1e-12))[:, None]
        rows *= self.weight
        rows += self.bias
        return rows


@dataclass(frozen=True, slots=True)
class Layer:
    attended: Dense
    gathered: Dense
    after_attention: Norm
    widened: Dense
    narrowed: Dense
    after_widening: Norm

    def __call__(self, rows: Array, mask: Array) -> Array:
        """`rows` are the tokens of all texts one after another; `mask` is texts × tokens."""
        attended = self.gathered(_attention(self.attended(rows), mask))
        attended += rows
        rows = self.after_attention(attended)
        widened = self.widened(rows)
        _gelu(widened)
        narrowed = self.narrowed(widened)
        narrowed += rows
        return self.after_widening(narrowed)


class MiniLM:
    def __init__(self, path: Path) -> None:
        """Reads a safetensors file. Raises OSError or ValueError where it is none, KeyError where a tensor is missing."""
        tensors = _read(path)
        self._words = tensors["embeddings.word_embeddings.weight"]
        self._places = tensors["embeddings.position_embeddings.weight"]
        self._places = self._places + tensors["embeddings.token_type_embeddings.weight"][0]
        self._first = _norm(tensors, "embeddings.LayerNorm")
        self._layers = [_layer(tensors, f"encoder.layer.{number}") for number in range(LAYERS)]

    def embed(self, texts: Sequence[Sequence[int]]) -> Rows:
        """A unit row for each text, given as its tokens' numbers: at least one and at most MAX_TOKENS."""
        longest = max(map(len, texts))
        tokens = np.zeros((len(texts), longest), np.int64)
        mask = np.zeros((len(texts), longest), np.float32)
        for place, text in enumerate(texts):
            tokens[place, : len(text)], mask[place, : len(text)] = text, 1
        rows = self._first((self._words[tokens] + self._places[:longest]).reshape(-1, WIDTH))
        for layer in self._layers:
            rows = layer(rows, mask)
        pooled = np.einsum("btw,bt->bw", rows.reshape(*mask.shape, WIDTH), mask)
        return unit_rows(pooled / mask.sum(1, keepdims=True))


def _attention(rows: Array, mask: Array) -> Array:
    """`rows` hold each token's query, key and value side by side; padding is not attended to."""
    texts, longest = mask.shape
    query, key, value = rows.reshape(texts, longest, 3, HEADS, WIDTH // HEADS).transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2)
    scores *= np.float32(1 / sqrt(WIDTH // HEADS))
    scores += ((mask - 1) * np.float32(1e9))[:, None, None, :]
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    mixed: Array = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
    return mixed


def _gelu(rows: Array) -> None:
    """x · Φ(x), in place and by blocks."""
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        size = np.abs(block)
        size *= np.float32(1 / sqrt(2))
        step = 1 / (1 + np.float32(0.3275911) * size)
        total = np.full_like(step, _ERF[-1])
        for factor in reversed(_ERF[:-1]):
            total *= step
            total += np.float32(factor)
        total *= step
        size *= size
        np.negative(size, out=size)
        total *= np.exp(size, out=size)
        np.subtract(1, total, out=total)
        block *= np.float32(0.5) * (1 + np.copysign(total, block))


def _layer(tensors: dict[str, Array], name: str) -> Layer:
    attention = [_dense(tensors, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    return Layer(
        Dense(
            np.concatenate([part.weight for part in attention], axis=1),
            np.concatenate([part.bias for part in attention]),
        ),
        _dense(tensors, f"{name}.attention.output.dense"),
        _norm(tensors, f"{name}.attention.output.LayerNorm"),
        _dense(tensors, f"{name}.intermediate.dense"),
        _dense(tensors, f"{name}.output.dense"),
        _norm(tensors, f"{name}.output.LayerNorm"),
    )


def _dense(tensors: dict[str, Array], name: str) -> Dense:
    return Dense(np.ascontiguousarray(tensors[f"{name}.weight"].T), tensors[f"{name}.bias"])


def _norm(tensors: dict[str, Array], name: str) -> Norm:
    return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])


def _read(path: Path) -> dict[str, Array]:
    """The 32-bit tensors of a safetensors file: eight bytes of a length, a JSON object of that length, the numbers."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    tensors = {}
    for name, told in json.loads(raw[8:start]).items():
        if told.get("dtype") == "F32":
            first, last = told["data_offsets"]
            tensors[name] = np.frombuffer(raw[start + first : start + last], "<f4").reshape(told["shape"])
    return tensors
