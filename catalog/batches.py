"""Rows, keys and names in batches, since a database takes only so many values in one question."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

BATCH = 500
"""Rows written, or values asked for, at once."""

T = TypeVar("T")


def batched(values: Iterable[T]) -> Iterator[list[T]]:
    """Each batch but the last is full; there is none where there are no values."""
    remaining = iter(values)
    while batch := list(islice(remaining, BATCH)):
        yield batch
