"""Cutting a ranking where its scores fall: everything below the first large jump is left out (S-8)."""

from collections.abc import Sequence

from catalog.search.cutting import SHOWN_CUT, cut_at
from catalog.search.ranking import Cut, Hit


def kept_before_jump(scores: Sequence[float], ratio: float) -> int:
    """How many of the scores, best first and above 0, stand before the first that the one above exceeds more than `ratio` times."""
    jumps = (place for place in range(1, len(scores)) if scores[place - 1] / scores[place] > ratio)
    return next(jumps, len(scores))


def autocut(limit: int, kept: int, ratio: float, hits: Sequence[Hit]) -> tuple[tuple[Hit, ...], tuple[Cut, ...]]:
    """The hits that are left by the top k and by a jump after the first `kept`, and the cuts in their order."""
    most = max(limit, 0)
    before, after = hits[:kept], tuple(hits[kept : most + SHOWN_CUT])
    found, cuts = cut_at(limit, before)
    if not after:
        return found, cuts
    return found, (*cuts, Cut(f"AutoCut {ratio}", before[-1].score / ratio, after))
