"""Engines side by side: what joins a lane with the one before it, and the columns of other comparisons."""

from django.template import Library

from catalog.search.side_by_side import Comparison, Join, Lane
from catalog.templatetags.search_arithmetic import bar_fields

register = Library()


@register.filter
def joins_before(lane: Lane, comparison: Comparison) -> list[Join]:
    """None of the first lane."""
    place = comparison.lanes.index(lane)
    return comparison.joins[place - 1] if place else []


@register.filter
def lane_fields(comparison: Comparison) -> list[str]:
    """The fields whose colours the bars of all lanes have, each once."""
    scored = [lane.ranking for lane in comparison.lanes if lane.ranking.scored]
    return list(dict.fromkeys(field for ranking in scored for field in bar_fields(ranking)))


@register.filter
def columns_without(comparison: Comparison, slug: str) -> str:
    return ",".join(other for other in _slugs(comparison) if other != slug)


@register.filter
def columns_from(comparison: Comparison, slug: str) -> str:
    """The same columns with that engine first."""
    return ",".join(sorted(_slugs(comparison), key=lambda other: other != slug))


def _slugs(comparison: Comparison) -> list[str]:
    return [lane.engine.slug for lane in comparison.lanes]
