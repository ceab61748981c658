"""A ranking less the tools that may not be found, each told with what kept it out."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, count

from catalog.search.ranking import Cut, Hit, Ranking


def narrowed(ranking: Ranking, most: int, refusal: Callable[[Hit], str]) -> Ranking:
    """The first `most` hits for which `refusal` is empty, ranked anew; it is asked of no more hits than that takes.

    What it says otherwise is told as the cut of the hit.
    """
    kept: list[Hit] = []
    refused: dict[str, list[Hit]] = {}
    hits = iter(ranking.hits)
    for hit in hits if most > 0 else ():
        reason = refusal(hit)
        (refused.setdefault(reason, []) if reason else kept).append(hit)
        if len(kept) == most:
            break
    cuts = chain([(f"top-k {most}", [*hits])], refused.items(), ((cut.by, cut.hits) for cut in ranking.cuts))
    ranks = count(1)
    first = tuple(_ranked(kept, ranks))
    return replace(ranking, hits=first, cuts=tuple(_cut(by, found, ranks) for by, found in cuts if found))


def _cut(by: str, hits: Iterable[Hit], ranks: Iterable[int]) -> Cut:
    told = tuple(_ranked(hits, ranks))
    return Cut(by, told[0].score, told)


def _ranked(hits: Iterable[Hit], ranks: Iterable[int]) -> Iterable[Hit]:
    return (replace(hit, rank=rank) for hit, rank in zip(hits, ranks, strict=False))
