"""Figures of evaluations in words, and values by key."""

from collections.abc import Mapping
from typing import Any

from django.template import Library

from catalog.evaluating.statistics import Interval
from catalog.evaluation_pages import search_address
from catalog.models import Evaluation

register = Library()


@register.filter
def share(value: float) -> str:
    """0.5432 as 0.543."""
    return f"{value:.3f}"


@register.filter
def signed(value: float) -> str:
    """0.02 as +0.020, with a true minus below zero."""
    return "0.000" if abs(value) < 0.0005 else f"{value:+.3f}".replace("-", "−")


@register.filter
def of(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value under a key; None where there is none."""
    return mapping.get(key)


@register.filter
def spans(interval: Interval) -> dict[str, float]:
    """Where an interval stands on a line of 1,000 units from 0 to 1."""
    return {
        "low": round(1_000 * interval.low, 1),
        "mean": round(1_000 * interval.mean, 1),
        "high": round(1_000 * interval.high, 1),
    }


@register.filter
def modulo(number: int, count: int) -> int:
    return number % count


@register.simple_tag
def search_of(evaluation: Evaluation, query: str) -> str:
    """The address of the search that explains an answer of an evaluation."""
    return search_address(evaluation, query)
