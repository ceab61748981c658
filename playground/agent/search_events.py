"""A ranking as the event that tells of it."""

from collections.abc import Iterator

from catalog.search.ranking import Hit, Ranking
from playground.agent.events import HitFound, SearchAnswered
from playground.agent.well_formed import well_formed

MOST_HITS = 50
"""Hits of one search that are recorded."""


def search_answered(turn: int, call_id: str, ranking: Ranking) -> SearchAnswered:
    hits = tuple(_hits_found(ranking))[:MOST_HITS]
    return SearchAnswered(
        turn,
        call_id,
        well_formed(ranking.reading.sent),
        ranking.engine,
        hits,
        ranking.matched,
        ranking.searched,
        ranking.scored,
        ranking.notes,
        ranking.problem,
    )


def _hits_found(ranking: Ranking) -> Iterator[HitFound]:
    for hit in ranking.hits:
        yield _hit_found(hit)
    for cut in ranking.cuts:
        for hit in cut.hits:
            yield _hit_found(hit, cut.by)


def _hit_found(hit: Hit, cut_by: str = "") -> HitFound:
    return HitFound(hit.rank, hit.tool.name, hit.tool.server, hit.score, cut_by)
