"""A ranking as plain values, for JSON: how the query was read, each hit with its whole explanation, and what was cut."""

from dataclasses import asdict
from typing import Any

from catalog.search.ranking import Cut, Hit, Ranking


def record_of(ranking: Ranking) -> dict[str, Any]:
    """Scores are those of the explanations, unrounded; of a ranking that is not `scored` they say nothing."""
    return {
        "reading": asdict(ranking.reading),
        "searched": ranking.searched,
        "matched": ranking.matched,
        "scored": ranking.scored,
        "hits": [_hit(hit) for hit in ranking.hits],
        "cuts": [_cut(cut) for cut in ranking.cuts],
        "notes": list(ranking.notes),
        "problem": ranking.problem,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "name": hit.tool.name,
        "server": hit.tool.server,
        "kind": hit.tool.capability,
        "score": hit.score,
        "explanation": asdict(hit.explanation),
    }


def _cut(cut: Cut) -> dict[str, Any]:
    return {"by": cut.by, "score": cut.score, "hits": [_hit(hit) for hit in cut.hits]}
