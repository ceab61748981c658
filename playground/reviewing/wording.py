"""When two queries are the same words, so that what is judged of one holds for the other."""

import hashlib
import re
from functools import lru_cache

from catalog.search.reading import read_query

_INSTRUCTIONS = re.compile(r"[+|*^$\\\[\]{}]")
"""Marks that an engine may read as an instruction: then the order of words, and how they are written, may matter."""


@lru_cache(maxsize=1 << 14)
def words_of(query: str) -> str:
    """The words as one text, equal for queries that ask the same.

    Case, order, repeats, endings (as the search cuts them) and common words do not count, unless there are no others.
    A query with marks of a pattern counts as it is written, but for case and spaces.
    """
    if _INSTRUCTIONS.search(query):
        return " ".join(query.casefold().split())
    terms = {term for word in read_query(query) for term in word.terms}
    return " ".join(sorted(terms)) or " ".join(query.casefold().split())


def digest_of(words: str) -> str:
    """A short name for words, which addresses and rows go by."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]


def query_digest(query: str) -> str:
    return digest_of(words_of(query))
