"""Where figures stand in a drawing: evaluations one after another, and intervals side by side. Shares of 1,000 units, from the top."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from catalog.evaluating.statistics import Interval

SIZE = 1_000
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Point:
    """One evaluation; `key` names it, `series` what it is compared with, and `breaks` that another suite was measured before it."""

    key: int
    series: str
    interval: Interval
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A point as it is drawn."""

    point: Point
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """A series: its marks, and those among which a line is drawn, as SVG wants them."""

    series: str
    number: int
    marks: tuple[Mark, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """`ticks` are the values of the horizontal lines from the top, with where they stand; `breaks` where the suite changed."""

    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, float], ...]
    breaks: tuple[float, ...]
    width: int = SIZE
    height: int = SIZE


def chart_of(points: Sequence[Point]) -> Chart:
    """In the order given, each at the same distance. Raises ValueError on none."""
    least, most, step = _range([one.interval for one in points])
    slot = SIZE / len(points)

    def height(value: float) -> float:
        return round(SIZE * (most - value) / (most - least), 1)

    def mark(place: int, point: Point) -> Mark:
        one = point.interval
        return Mark(point, round((place + 0.5) * slot, 1), height(one.mean), height(one.low), height(one.high))

    marks = [mark(place, point) for place, point in enumerate(points)]
    series = list(dict.fromkeys(point.series for point in points))
    lines = tuple(_line(one, number, marks) for number, one in enumerate(series))
    count = round((most - least) / step)
    ticks = tuple((round(most - step * place, 4), height(most - step * place)) for place in range(count + 1))
    return Chart(lines, ticks, tuple(round(one.x - slot / 2, 1) for one in marks if one.point.breaks))


def _range(intervals: Sequence[Interval]) -> tuple[float, float, float]:
    """What the drawing shows, and how far its lines are apart."""
    if not intervals:
        raise ValueError("there is nothing to draw")
    least, most = min(one.low for one in intervals), max(one.high for one in intervals)
    step = next((step for step in STEPS if (most - least) / step <= MOST_LINES), STEPS[-1])
    low, high = floor(least / step + 1e-9) * step, ceil(most / step - 1e-9) * step
    return (low, high, step) if high > low else (max(0.0, low - step), min(1.0, low + step) if low < 1 else 1.0, step)


def _line(series: str, number: int, marks: Sequence[Mark]) -> Line:
    own = tuple(one for one in marks if one.point.series == series)
    parts: list[list[Mark]] = [[]]
    breaks = [one.x for one in marks if one.point.breaks]
    for one in own:
        if parts[-1] and any(parts[-1][-1].x < place <= one.x for place in breaks):
            parts.append([])
        parts[-1].append(one)
    paths = (
        " ".join(f"{'M' if not place else 'L'}{one.x} {one.y}" for place, one in enumerate(part)) for part in parts
    )
    return Line(series, number, own, tuple(paths))
