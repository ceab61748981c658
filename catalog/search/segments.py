"""The segments of a Whoosh index as numpy arrays. A segment is written once: only deletions come later, kept apart from it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.reading import IndexReader

from catalog.search.documents import FIELDS

FEW = 64
"""Documents of a segment whose terms are all read at once: an edit's segment is asked for each term of each query."""
MAX_ABSENT = 20_000
"""Terms remembered that no document has: queries could name ever more of them."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Parallel arrays: documents by number within the segment, ascending, and how often each has the term.

    `tools` counts documents that were deleted before the segment was opened too, which the arrays may lack.
    """

    documents: NDArray[np.int32]
    counts: NDArray[np.float64]
    tools: int


class Segment:
    """Reads terms when first asked for them. Whoosh's readers are not for several threads at once."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._lock = Lock()
        self._terms: dict[tuple[str, str], Occurrences] = {}
        self._absent: set[tuple[str, str]] = set()
        self.size = reader.doc_count_all()
        self.lengths = {field: _lengths(reader, field) for field in FIELDS}
        self.totals = {field: reader.field_length(field) for field in FIELDS}
        self.keys: dict[str, int] = {stored["key"]: document for document, stored in reader.iter_docs()}

    @cached_property
    def spellings(self) -> tuple[str, ...]:
        """Every word as tools write it, lower-cased, in alphabetical order."""
        with self._lock:
            return tuple(word.decode() for word in self._reader.lexicon("spelling"))

    @cached_property
    def _every_term(self) -> frozenset[tuple[str, bytes]] | None:
        """Of a segment of few documents."""
        with self._lock:
            return frozenset(self._reader.all_terms()) if self.size <= FEW else None

    def term(self, field: str, term: str) -> Occurrences | None:
        """None if the segment does not have the term in that field."""
        if self._every_term is not None and (field, term.encode()) not in self._every_term:
            return None
        known = self._terms.get((field, term))
        if known is None and (field, term) not in self._absent:
            with self._lock:
                known = self._read(field, term.encode())
            if known is not None:
                self._terms[field, term] = known
            elif len(self._absent) < MAX_ABSENT:
                self._absent.add((field, term))
        return known

    def _read(self, field: str, term: bytes) -> Occurrences | None:
        if (field, term) not in self._reader:
            return None
        pairs = [*_postings(self._reader, field, term)]
        documents = np.fromiter((document for document, _ in pairs), np.int32, len(pairs))
        counts = np.fromiter((count for _, count in pairs), np.float64, len(pairs))
        return Occurrences(documents, counts, self._reader.doc_frequency(field, term))


def segments_of(reader: IndexReader, known: dict[str, Segment]) -> Iterator[tuple[str, Segment, Iterable[int]]]:
    """The name of each segment of an opened index, the segment, taken from the known ones if possible, and what is deleted."""
    for leaf, _ in reader.leaf_readers():
        written: Any = leaf.segment()
        if written is not None:
            name = written.segment_id()
            yield name, known.get(name) or Segment(leaf), written.deleted_docs()


def _lengths(reader: IndexReader, field: str) -> NDArray[np.float64]:
    """Words in the field of each document, as Whoosh stores them: exact to 10, then rounded."""
    size = reader.doc_count_all()
    lengths = (reader.doc_field_length(document, field, 1) or 1 for document in range(size))
    return np.fromiter(lengths, np.float64, size)


def _postings(reader: IndexReader, field: str, term: bytes) -> Iterator[tuple[int, float]]:
    """Document number and count, in the order of document numbers."""
    matcher = reader.postings(field, term)
    while matcher.is_active():
        yield matcher.id(), matcher.weight()
        matcher.next()
