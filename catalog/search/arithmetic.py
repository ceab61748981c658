"""A BM25F score as a sum that a person can check with pencil and paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from catalog.search.explanation import Explanation, fact, sum_of
from catalog.search.postings import K1, B, Postings, TermPostings

BOOSTS = {"name": 1.5, "search_text": 2.0, "tags": 1.0, "description": 1.0, "parameters": 0.5, "server": 0.5}
"""What a word counts in each field. Search text is written to be found; parameters and server texts are long and loose.
Names are short, so that a word in one scores high as it is: on eight sets of judged queries 3 did worse than 1.5."""
RARE = 0.05
"""A word in no more than this share of the tools is called rare."""

HAS = {
    "name": "its name has",
    "search_text": "its search text has",
    "tags": "its tags have",
    "description": "its description has",
    "parameters": "its parameters have",
    "server": "its server’s text has",
}
_EXACT_LENGTH = 10
"""Whoosh keeps a field's length in one byte: longer ones are rounded."""


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term of the query in one field, and what can be said of it whatever the tool: the weight and the rarity."""

    field: str
    term: str
    postings: TermPostings
    reason: str
    factors: tuple[Explanation, Explanation]
    rare: Explanation | None


def ask(field: str, term: str, spoken: str, found: TermPostings, size: int, boost: float) -> AskedTerm:
    """`spoken` is what the query calls the term, `size` the number of documents, `boost` what the field counts."""
    weight = fact(boost, f"weight of the {field_words(field)}")
    rarity = fact(found.idf, f"in {found.tools:,} of {size:,} tools: ln({size} / {found.tools + 1}) + 1")
    rare = fact(found.tools, f"a rare word here ({found.tools:,} of {size:,} tools)")
    reason = f"{HAS[field]} “{spoken}”"
    return AskedTerm(field, term, found, reason, (weight, rarity), rare if found.tools <= RARE * size else None)


def explain(postings: Postings, documents: NDArray[np.int64], asked: Sequence[AskedTerm]) -> Iterator[Explanation]:
    """The score of each document; `asked` is in the order of FIELDS."""
    counts = [term.postings.counted(documents).tolist() for term in asked]
    for document, *counted in zip(documents.tolist(), *counts, strict=True):
        found = ((term, count) for term, count in zip(asked, counted, strict=True) if count)
        by_field = groupby(found, key=lambda pair: pair[0].field)
        fields = (
            sum_of(field_words(field), [_word(postings, document, term, count) for term, count in pairs])
            for field, pairs in by_field
        )
        yield sum_of("what each field adds", fields)


def field_words(field: str) -> str:
    return field.replace("_", " ")


def _word(postings: Postings, document: int, asked: AskedTerm, count: float) -> Explanation:
    length, average = float(postings.lengths[asked.field][document]), postings.averages[asked.field]
    weight, rarity = asked.factors
    occurrence = _occurrence(count, length, average)
    value, factors = weight.value * rarity.value * occurrence.value, (weight, rarity, occurrence)
    return Explanation(value, asked.reason, "product", factors, asked.field, asked.rare, asked.term)


@lru_cache(maxsize=1 << 14)
def _occurrence(count: float, length: float, average: float) -> Explanation:
    """How much the number of times counts in a field of this length, in words."""
    value = count * (K1 + 1) / (count + K1 * ((1 - B) + B * length / average))
    about = "about " if length > _EXACT_LENGTH else ""
    times = "once" if count == 1 else f"{count:g} times"
    told = f"{times} in {about}{length:g} word{'' if length == 1 else 's'}, {average:.1f} on average"
    formula = f"{count:g} × {K1 + 1:g} / ({count:g} + {K1:g} × ({1 - B:g} + {B:g} × {length:g} / {average:.2f}))"
    return Explanation(value, told, background=fact(value, f"{formula}, with K1 = {K1:g} and B = {B:g}"))
