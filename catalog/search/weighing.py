"""What a term weighs in each document: the fields added up first, saturated once, unlike the textbook BM25 of each field.

Robertson, Zaragoza and Taylor, Simple BM25 Extension to Multiple Weighted Fields (CIKM 2004), with a length norm a field.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from catalog.search.engine import Corpus
from catalog.search.places import Places
from catalog.search.postings import B, TermPostings

K1 = 3.0
"""How soon further occurrences stop counting: later than in one field, for fields add up to more of them."""
WEIGHTS = {"name": 3.0, "search_text": 2.0, "tags": 1.0, "description": 1.0, "parameters": 1.0, "server": 2.0}
"""What an occurrence counts in each field. Of the loose ones it is what a long query gets; a short one gets a share."""
LOOSE = frozenset({"parameters", "server"})
"""Fields that speak of more than what the tool does: a short query's words are rarely sought there."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Parallel arrays over the documents that have the term, by number, ascending.

    `fields` holds how often each field has it and what that weighs; `firm` and `loose` are the weights added up; `named` are
    the documents that have it in their names.
    `rarity` is the logarithmic factor, of the `tools` documents that have the term in any field.
    """

    documents: NDArray[np.int64]
    fields: dict[str, tuple[Array, Array]]
    firm: Array
    loose: Array
    named: NDArray[np.int32]
    rarity: float

    @property
    def tools(self) -> int:
        return len(self.documents)

    def scores(self, trust: float) -> Array:
        """What the term adds to each document, loose fields counting `trust`."""
        weights = self.firm + trust * self.loose
        return self.rarity * weights * (K1 + 1) / (K1 + weights)

    def having(self, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each of these documents has the term."""
        at = self.documents.searchsorted(documents)
        found: NDArray[np.bool_] = np.append(self.documents, -1)[at] == documents
        return found

    def at(self, document: int) -> int | None:
        """Where the document stands in the arrays, if it has the term."""
        at = int(self.documents.searchsorted(document))
        return at if at < len(self.documents) and self.documents[at] == document else None


class Weighing:
    """The weights of terms in one opened index, each found once."""

    def __init__(self, corpus: Corpus) -> None:
        """Raises UnreadableIndexError if the corpus has no usable index."""
        self.postings = corpus.shared(Places).postings
        self.name_lengths = np.append(self.postings.lengths["name"], 1.0)
        self._known: dict[str, TermWeights] = {}

    def term(self, term: str) -> TermWeights | None:
        """None if no tool has the term."""
        known = self._known.get(term)
        if known is None and (found := self.postings.fields(term)):
            known = self._known[term] = self._weights(found)
        return known

    def _weights(self, found: dict[str, TermPostings]) -> TermWeights:
        documents = np.unique(np.concatenate([entry.documents for entry in found.values()])).astype(np.int64)
        fields = {field: self._in_field(field, entry, documents) for field, entry in found.items()}
        none = np.zeros(len(documents))
        firm = sum((weights for field, (_, weights) in fields.items() if field not in LOOSE), none)
        loose = sum((weights for field, (_, weights) in fields.items() if field in LOOSE), none)
        named = found["name"].documents if "name" in found else documents[:0].astype(np.int32)
        return TermWeights(documents, fields, firm, loose, named, log(self.postings.size / (len(documents) + 1)) + 1)

    def _in_field(self, field: str, entry: TermPostings, documents: NDArray[np.int64]) -> tuple[Array, Array]:
        counts = np.zeros(len(documents))
        counts[documents.searchsorted(entry.documents)] = entry.counts
        norm = (1 - B) + B * self.postings.lengths[field][documents] / self.postings.typical[field]
        return counts, WEIGHTS[field] * counts / norm
