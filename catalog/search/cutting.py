"""Cutting a list of hits at the top k, keeping the first of those below to be shown."""

from collections.abc import Sequence

from catalog.search.ranking import Cut, Hit

SHOWN_CUT = 10
"""Hits below a cut that a ranking still tells of."""


def cut_at(limit: int, hits: Sequence[Hit], by: str = "top-k") -> tuple[tuple[Hit, ...], tuple[Cut, ...]]:
    """The first `limit` hits, and the cut below them if there are more. A limit below 0 is 0."""
    kept, rest = tuple(hits[: max(limit, 0)]), tuple(hits[max(limit, 0) :][:SHOWN_CUT])
    if not rest:
        return kept, ()
    return kept, (Cut(f"{by} {max(limit, 0)}", (kept or rest)[-1 if kept else 0].score, rest),)
