"""A ranking as plain values, for JSON: how the query was read, each hit with its whole explanation, and what was cut."""

from typing import Any

from catalog.search.explanation import Explanation
from catalog.search.ranking import Cut, Hit, QueryReading, QueryWord, Ranking


def record_of(ranking: Ranking) -> dict[str, Any]:
    """Scores are those of the explanations, unrounded; of a ranking that is not `scored` they say nothing."""
    return {
        "reading": _reading(ranking.reading),
        "searched": ranking.searched,
        "matched": ranking.matched,
        "scored": ranking.scored,
        "hits": [_hit(hit) for hit in ranking.hits],
        "cuts": [_cut(cut) for cut in ranking.cuts],
        "notes": list(ranking.notes),
        "problem": ranking.problem,
    }


def _reading(reading: QueryReading) -> dict[str, Any]:
    return {
        "sent": reading.sent,
        "words": [_word(word) for word in reading.words],
        "final": reading.final,
        "is_pattern": reading.is_pattern,
    }


def _word(word: QueryWord) -> dict[str, Any]:
    return {
        "text": word.text,
        "terms": list(word.terms),
        "dropped": word.dropped,
        "unknown": word.unknown,
        "near": word.near,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "name": hit.tool.name,
        "server": hit.tool.server,
        "score": hit.score,
        "explanation": _explanation(hit.explanation),
    }


def _cut(cut: Cut) -> dict[str, Any]:
    return {"by": cut.by, "score": cut.score, "hits": [_hit(hit) for hit in cut.hits]}


def _explanation(told: Explanation) -> dict[str, Any]:
    return {
        "value": told.value,
        "reason": told.reason,
        "combination": told.combination,
        "field": told.field,
        "term": told.term,
        "parts": [_explanation(part) for part in told.parts],
        "background": _explanation(told.background) if told.background else None,
    }
