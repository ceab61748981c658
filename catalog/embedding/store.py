"""Vectors in the database, by the digests of their texts."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

import numpy as np
from django.utils import timezone

from catalog.embedding.embedder import Rows
from catalog.models import EmbeddedText

AT_ONCE = 500
"""Rows a statement."""
KEPT_FOR = timedelta(days=30)
"""How long a vector is kept that no corpus asks for: a description may be put back, a catalog switched on again."""


class Store:
    def read(self, digests: Sequence[str]) -> dict[str, Rows]:
        today = timezone.now().date()
        found: dict[str, Rows] = {}
        for some in _chunks(digests):
            kept = EmbeddedText.objects.filter(digest__in=some)
            found |= {digest: np.frombuffer(vector, "<f4") for digest, vector in kept.values_list("digest", "vector")}
            kept.filter(asked_on__lt=today).update(asked_on=today)
        return found

    def write(self, rows: Mapping[str, Rows]) -> None:
        today = timezone.now().date()
        made = [
            EmbeddedText(digest=name, vector=row.astype("<f4").tobytes(), asked_on=today) for name, row in rows.items()
        ]
        EmbeddedText.objects.bulk_create(
            made,
            batch_size=AT_ONCE,
            update_conflicts=True,
            unique_fields=["digest"],
            update_fields=["vector", "asked_on"],
        )


def sweep() -> None:
    """Delete what no corpus has asked for in a while."""
    EmbeddedText.objects.filter(asked_on__lt=timezone.now().date() - KEPT_FOR).delete()


def _chunks(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[start : start + AT_ONCE] for start in range(0, len(names), AT_ONCE))
