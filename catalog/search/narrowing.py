"""A ranking less the tools that may not be found, each told with what kept it out."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count, islice

from catalog.search.cutting import SHOWN_CUT
from catalog.search.ranking import Cut, Hit, Ranking


def narrowed(ranking: Ranking, most: int, refusal: Callable[[Hit], str]) -> Ranking:
    """The first `most` hits for which `refusal` is empty, ranked anew; it is asked of no more hits than that takes.

    What it says otherwise is told as the cut of the hit. Of those below the top, and of those refused for one reason,
    the first are told.
    """
    kept: list[Hit] = []
    refused: dict[str, list[Hit]] = {}
    hits = iter(ranking.hits)
    for hit in hits if most > 0 else ():
        reason = refusal(hit)
        (refused.setdefault(reason, []) if reason else kept).append(hit)
        if len(kept) == most:
            break
    below = [*islice(hits, SHOWN_CUT)]
    ranks = count(1)
    first = tuple(_ranked(kept, ranks))
    cuts = [
        *([_cut(f"top-k {most}", below, ranks)] if below else []),
        *(replace(_cut(reason, found[:SHOWN_CUT], ranks), refused=True) for reason, found in refused.items()),
        *(_cut(cut.by, cut.hits, ranks) for cut in ranking.cuts),
    ]
    return replace(ranking, hits=first, cuts=tuple(cuts))


def _cut(by: str, hits: Iterable[Hit], ranks: Iterable[int]) -> Cut:
    told = tuple(_ranked(hits, ranks))
    return Cut(by, told[0].score, told)


def _ranked(hits: Iterable[Hit], ranks: Iterable[int]) -> Iterable[Hit]:
    return (replace(hit, rank=rank) for hit, rank in zip(hits, ranks, strict=False))
