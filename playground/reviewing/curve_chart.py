"""The curve of pre-discovered lists as lines of a chart: places in its picture, no colours and no words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

WIDTH, HEIGHT = 440, 190
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 24
MOST_TICKS = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """A list on the chart: how many tools it has, what it costs, and where it lies."""

    length: int
    value: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tick:
    value: int
    at: float


@dataclass(frozen=True, slots=True)
class Chart:
    """`older` and `newest` are lines over the same lengths; `present` lies beside them, on the older runs."""

    older: tuple[Mark, ...]
    newest: tuple[Mark, ...]
    present: Mark
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    floor: int = HEIGHT - BOTTOM

    @property
    def older_line(self) -> str:
        return _line(self.older)

    @property
    def newest_line(self) -> str:
        return _line(self.newest)


def chart_of(older: Sequence[float], newest: Sequence[float], present: tuple[int, float]) -> Chart:
    """The value at each length from 0 on, and the present list's length and value. The scale begins at 0."""
    longest = max(len(older) - 1, present[0], 1)
    step = _step(max(*older, *newest, present[1], 1e-9))
    top = step * ceil(max(*older, *newest, present[1], step) / step)

    def mark(length: int, value: float) -> Mark:
        x = LEFT + (WIDTH - LEFT - RIGHT) * length / longest
        y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top
        return Mark(length, value, round(x, 1), round(y, 1))

    every = ceil(longest / MOST_TICKS)
    across = tuple(Tick(length, mark(length, 0).x) for length in range(0, longest + 1, every))
    up = tuple(Tick(round(step * number), mark(0, step * number).y) for number in range(round(top / step) + 1))
    lines = [tuple(mark(length, value) for length, value in enumerate(line)) for line in (older, newest)]
    return Chart(lines[0], lines[1], mark(*present), across, up)


def _step(most: float) -> float:
    """A round number of which two to five reach the top; 1 at the least."""
    whole = 10.0 ** int(log10(most)) if most >= 1 else 1.0
    fitting = (part * whole for part in (0.2, 0.5, 1, 2, 5) if most / (part * whole) <= 5)
    return max(1.0, next(fitting, whole))


def _line(marks: Sequence[Mark]) -> str:
    return " ".join(f"{mark.x},{mark.y}" for mark in marks)
