"""What templates of reports ask for: bars of its charts, a bar for each step in two parts, and addresses behind numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.template import Library

from playground.reporting.document import Column
from playground.reporting.links import Links
from playground.reporting.measures import Part
from playground.reporting.period import Period

register = Library()

HEIGHT = 40.0
LEAST_BAR = 0.8
"""Of HEIGHT, so that a bar can be seen."""
MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """`good` stands below `rest`; both are heights. `x` is the left edge of a place that is ten wide."""

    part: Part
    x: int
    good_count: int
    rest_count: int
    good: float
    rest: float
    is_labelled: bool

    @property
    def good_top(self) -> float:
        return round(HEIGHT - self.good, 2)

    @property
    def rest_top(self) -> float:
        return round(HEIGHT - self.good - self.rest, 2)


@register.filter
def run_bars(parts: Sequence[Part]) -> list[Bar]:
    """Runs that completed, and those that did not."""
    return _bars(parts, [(part.completed, part.other + part.unfinished) for part in parts])


@register.filter
def search_bars(parts: Sequence[Part]) -> list[Bar]:
    """Searches that led to a call, and those that did not."""
    return _bars(parts, [(part.led, part.nowhere) for part in parts])


@register.filter
def highest(bars: Sequence[Bar]) -> int:
    """The count that the highest bar stands for."""
    return max((bar.good_count + bar.rest_count for bar in bars), default=0)


@register.filter
def width(bars: Sequence[Bar]) -> int:
    return 10 * len(bars)


@register.filter
def nth(columns: Sequence[Column], place: int) -> Column:
    """The column of a cell, counted from 0."""
    return columns[place]


@register.simple_tag
def runs_of(links: Links, period: Period) -> str:
    """The list of runs of one part of the period."""
    return links.within(period).runs()


@register.simple_tag
def behind(links: Links, what: Literal["runs", "searches", "tools"], **filters: str) -> str:
    """The list of runs, searches or tools that is narrowed by those of the filters that are not empty."""
    chosen = {name: value for name, value in filters.items() if value}
    match what:
        case "runs":
            return links.runs(**chosen)
        case "searches":
            return links.searches(**chosen)
        case "tools":
            return links.tools(**chosen)


@register.simple_tag
def file_of(links: Links, address: str, table: str = "") -> str:
    """An export of the report, by the name of its address; `table` is the one that is taken out."""
    return links.file(address, name=table) if table else links.file(address)


def _bars(parts: Sequence[Part], counts: Sequence[tuple[int, int]]) -> list[Bar]:
    scale = HEIGHT / (max((good + rest for good, rest in counts), default=0) or 1)
    return [
        Bar(part, place * 10, good, rest, _height(good, scale), _height(rest, scale), _is_labelled(place, len(parts)))
        for place, (part, (good, rest)) in enumerate(zip(parts, counts, strict=True))
    ]


def _is_labelled(place: int, places: int) -> bool:
    """Every so many, so that a label has room before the next one and before the edge."""
    every = -(-places // MOST_LABELS)
    return place % every == 0 and (place == 0 or place + every <= places)


def _height(count: int, scale: float) -> float:
    return round(max(count * scale, LEAST_BAR if count else 0.0), 2)
