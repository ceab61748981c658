"""Whoosh's postings and statistics of one opened index as numpy arrays, for any number of threads."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from whoosh.reading import IndexReader

from catalog.search.documents import FIELDS
from catalog.search.index import UnreadableIndexError, index_state, open_index, unreadable

K1 = 1.2
"""How soon further occurrences of a word stop counting."""
B = 0.75
"""How much a long field is held against a word, from 0 to 1."""
_ATTEMPTS = 10

Lengths = dict[str, NDArray[np.float64]]
"""By field, the number of words of each document there."""


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Where a term occurs in a field. The arrays run in parallel; `documents` are document numbers, ascending.

    `tools` counts documents as Whoosh does: deleted ones too, until a merge. `weights` are the BM25F scores of the term
    before the field's boost, which is the textbook BM25 of each field by itself, and not the textbook BM25F.
    """

    documents: NDArray[np.int32]
    counts: NDArray[np.float64]
    weights: NDArray[np.float64]
    tools: int
    idf: float

    def count(self, document: int) -> float:
        """How often the term occurs in the field of this document; 0 if it does not."""
        at = int(np.searchsorted(self.documents, document))
        found = at < len(self.documents) and self.documents[at] == document
        return float(self.counts[at]) if found else 0.0


class Postings:
    """An index as it is when this is made; changes to the folder are not seen. Raises UnreadableIndexError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._terms: dict[tuple[str, str], TermPostings] = {}
        with unreadable(folder):
            self._load(*_settled(folder))

    def _load(self, reader: IndexReader, lengths: Lengths) -> None:
        self._reader = reader
        self.size = reader.doc_count_all()
        self.lengths = lengths
        self.averages = {
            field: (reader.field_length(field) / self.size or 1.0) if self.size else 1.0 for field in FIELDS
        }
        self.keys = dict(_keys(reader))
        self.live = np.zeros(self.size, bool)
        self.live[list(self.keys.values())] = True

    def term(self, field: str, term: str) -> TermPostings | None:
        """The postings of a term, None if the index has none. Whoosh's readers are not for several threads at once."""
        known = self._terms.get((field, term))
        if known is None:
            with self._lock, unreadable(self._folder):
                known = self._read(field, term)
            if known is not None:
                self._terms[field, term] = known
        return known

    def has(self, term: str) -> bool:
        """Whether any tool has the term in a scored field."""
        return any(self.tools_with(field, term) for field in FIELDS)

    def tools_with(self, field: str, term: str) -> int:
        """Tools, none of them deleted, that have the term in the field."""
        postings = self.term(field, term)
        return 0 if postings is None else int(np.count_nonzero(self.live[postings.documents]))

    @cached_property
    def spellings(self) -> tuple[str, ...]:
        """Every word as tools write it, lower-cased, in alphabetical order."""
        with self._lock, unreadable(self._folder):
            return tuple(word.decode() for word in self._reader.lexicon("spelling"))

    def _read(self, field: str, term: str) -> TermPostings | None:
        encoded = term.encode()
        if (field, encoded) not in self._reader:
            return None
        pairs = list(_occurrences(self._reader, field, encoded))
        documents = np.array([document for document, _ in pairs], np.int32)
        counts = np.array([count for _, count in pairs], np.float64)
        tools = self._reader.doc_frequency(field, encoded)
        idf = log(self.size / (tools + 1)) + 1
        return TermPostings(documents, counts, idf * self._saturated(field, documents, counts), tools, idf)

    def _saturated(self, field: str, documents: NDArray[np.int32], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        if field not in self.lengths:
            return counts
        norm = (1 - B) + B * self.lengths[field][documents] / self.averages[field]
        return counts * (K1 + 1) / (counts + K1 * norm)


def _settled(folder: Path) -> tuple[IndexReader, Lengths]:
    """A reader of the newest index, and the field lengths of its documents, read while no writer came between."""
    for _ in range(_ATTEMPTS):
        before = index_state(folder)
        try:
            reader = open_index(folder).reader()
            lengths = {field: _lengths(reader, field) for field in FIELDS}
        except Exception:
            if index_state(folder) == before:
                raise
        else:
            if index_state(folder) == before:
                return reader, lengths
    raise UnreadableIndexError(f"the index in {folder} changes faster than it can be read")


def _lengths(reader: IndexReader, field: str) -> NDArray[np.float64]:
    """Words in the field of each document, as Whoosh stores them: exact to 10, then rounded."""
    lengths = [
        leaf.doc_field_length(document, field, 1) or 1
        for leaf, _ in reader.leaf_readers()
        for document in range(leaf.doc_count_all())
    ]
    return np.array(lengths, np.float64)


def _keys(reader: IndexReader) -> Iterator[tuple[str, int]]:
    return ((stored["key"], document) for document, stored in reader.iter_docs())


def _occurrences(reader: IndexReader, field: str, term: bytes) -> Iterator[tuple[int, float]]:
    """Document number and count, in the order of document numbers."""
    for leaf, offset in reader.leaf_readers():
        if (field, term) in leaf:
            matcher = leaf.postings(field, term)
            while matcher.is_active():
                yield offset + matcher.id(), matcher.weight()
                matcher.next()
