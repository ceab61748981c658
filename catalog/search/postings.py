"""Whoosh's postings and statistics of one opened index as numpy arrays, for any number of threads."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from catalog.search.documents import FIELDS
from catalog.search.index import UnreadableIndexError, index_state, open_index, unreadable
from catalog.search.segments import Occurrences, Segment, segments_of

K1 = 1.2
"""How soon further occurrences of a word stop counting."""
B = 0.75
"""How much a long field is held against a word, from 0 to 1."""
MAX_ABSENT = 10_000
"""Terms remembered that no tool has: queries could name ever more of them."""
_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Where a term occurs in a field. The arrays run in parallel; `documents` are document numbers, ascending.

    `tools` counts documents as Whoosh does: deleted ones too, until a merge.
    """

    documents: NDArray[np.int32]
    counts: NDArray[np.float64]
    tools: int
    idf: float

    def counted(self, documents: NDArray[np.int64]) -> NDArray[np.float64]:
        """How often the term occurs in the field of each of these documents; 0 where it does not."""
        if not len(self.documents):
            return np.zeros(len(documents))
        at = np.minimum(self.documents.searchsorted(documents), len(self.documents) - 1)
        return np.where(self.documents[at] == documents, self.counts[at], 0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """A segment of the index, and the number that its first document has among all."""

    name: str
    segment: Segment
    first: int
    deleted: frozenset[int]
    """By number in the segment."""


class Postings:
    """An index as it is when this is made; changes to the folder are not seen. Raises UnreadableIndexError.

    What an earlier opening of the index has read is not read again.
    """

    def __init__(self, folder: Path, earlier: "Postings | None" = None) -> None:
        self._folder = folder
        self._terms: dict[str, dict[str, TermPostings]] = {}
        self.nearest: dict[str, str] = {}
        """Words that no tool has, as far as they were asked for, with the nearest that one does; not more than MAX_ABSENT."""
        known = {} if earlier is None else {placed.name: placed.segment for placed in earlier.segments}
        with unreadable(folder):
            self.segments: list[Placed] = _settled(folder, known)
        self.size = sum(placed.segment.size for placed in self.segments)
        self.lengths = {field: self._lengths(field) for field in FIELDS}
        self.averages = {field: self._average(field) for field in FIELDS}
        self.typical = {field: self._typical(field) for field in FIELDS}
        self.live = np.ones(self.size, bool)
        for placed in self.segments:
            self.live[[placed.first + document for document in placed.deleted]] = False

    @property
    def keys(self) -> dict[str, int]:
        """The documents that are not deleted, by the key of their tool."""
        return {
            key: placed.first + document
            for placed in self.segments
            for key, document in placed.segment.keys.items()
            if document not in placed.deleted
        }

    @property
    def spellings(self) -> list[Sequence[str]]:
        """Every word as tools write it, lower-cased, in alphabetical order in each segment; some of deleted tools only."""
        with unreadable(self._folder):
            return [placed.segment.spellings for placed in self.segments]

    def fields(self, term: str) -> dict[str, TermPostings]:
        """The postings of a term in each of FIELDS that has it, in their order."""
        known = self._terms.get(term)
        if known is None:
            read = ((field, self._read(field, term)) for field in FIELDS)
            known = {field: found for field, found in read if found}
            if known or len(self._terms) < MAX_ABSENT:
                self._terms[term] = known
        return known

    def has(self, term: str) -> bool:
        """Whether any tool has the term in a scored field."""
        return any(len(found.documents) for found in self.fields(term).values())

    def spelled(self, word: str) -> int:
        """Tools that write this word, in any case, outside of parameters and server texts."""
        found = self._read("spelling", word)
        return 0 if found is None else len(found.documents)

    def weights(self, field: str, found: TermPostings) -> NDArray[np.float64]:
        """The BM25F scores of a term before the field's boost, which is the textbook BM25 of each field by itself, and not BM25F."""
        norm = (1 - B) + B * self.lengths[field][found.documents] / self.averages[field]
        return found.idf * (found.counts * (K1 + 1) / (found.counts + K1 * norm))

    def _read(self, field: str, term: str) -> TermPostings | None:
        with unreadable(self._folder):
            read = ((placed.first, placed.segment.term(field, term)) for placed in self.segments)
            found = [(first, occurrences) for first, occurrences in read if occurrences]
        return self._joined(found) if found else None

    def _joined(self, found: Sequence[tuple[int, Occurrences]]) -> TermPostings:
        documents = np.concatenate([occurrences.documents + np.int32(first) for first, occurrences in found])
        counts = np.concatenate([occurrences.counts for _, occurrences in found])
        here = self.live[documents]
        if not here.all():
            documents, counts = documents[here], counts[here]
        tools = sum(occurrences.tools for _, occurrences in found)
        idf = log(self.size / (tools + 1)) + 1
        return TermPostings(documents, counts, tools, idf)

    def _lengths(self, field: str) -> NDArray[np.float64]:
        """Words in the field of each document, as Whoosh stores them: exact to 10, then rounded."""
        return np.concatenate([np.zeros(0), *(placed.segment.lengths[field] for placed in self.segments)])

    def _average(self, field: str) -> float:
        """Words in the field, of which Whoosh knows the exact sum."""
        total = sum(placed.segment.totals[field] for placed in self.segments)
        return (total / self.size or 1.0) if self.size else 1.0

    def _typical(self, field: str) -> float:
        """The average; of search texts, which few tools have, over those that have one, or it would be near 0.

        Whoosh stores 1 for a field that a document lacks, so that longer ones alone count.
        """
        if field != "search_text":
            return self.averages[field]
        longer = self.lengths[field][self.lengths[field] > 1]
        return max(1.0, self.averages[field], float(longer.mean()) if len(longer) else 0.0)


def _settled(folder: Path, known: dict[str, Segment]) -> list[Placed]:
    """The segments of the newest index, read while no writer came between."""
    for _ in range(_ATTEMPTS):
        before = index_state(folder)
        try:
            found = _placed(folder, known)
        except Exception:
            if index_state(folder) == before:
                raise
        else:
            if index_state(folder) == before:
                return found
    raise UnreadableIndexError(f"the index in {folder} changes faster than it can be read")


def _placed(folder: Path, known: dict[str, Segment]) -> list[Placed]:
    found: list[Placed] = []
    first = 0
    for name, segment, deleted in segments_of(open_index(folder).reader(), known):
        found.append(Placed(name, segment, first, frozenset(deleted)))
        first += segment.size
    return found
