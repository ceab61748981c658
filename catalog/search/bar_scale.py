"""The scale of a page's bars: the best score, unless one bonus dwarfs all else."""

from catalog.search.explanation import Explanation
from catalog.search.ranking import Hit, Ranking

DWARFED = 2.0
"""How many times the best score without its largest bonus the best score must be, for its bar to be broken off."""
FILLED = 0.8
"""What the best score without its largest bonus fills of the scale then."""


def bar_scale(ranking: Ranking) -> float:
    """The score whose bar has the whole width; a higher one is broken off there."""
    best = ranking.best_score or 1.0
    plain = max((hit.score - _largest_bonus(hit) for hit in ranking.uncut), default=0.0)
    return plain / FILLED if plain > 0 and plain * DWARFED < best else best


def _largest_bonus(hit: Hit) -> float:
    return max((part.value for part in hit.explanation.contributions() if _is_bonus(part)), default=0.0)


def _is_bonus(part: Explanation) -> bool:
    return part.field == "bonus"
