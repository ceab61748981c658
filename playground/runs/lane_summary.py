"""Lanes in figures, row by row: what each came to, how far that is from the lead lane, and which is best."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from playground.runs.lane_state import Figures, Lane, figures_of
from playground.runs.outline import Call

Measure = Literal["cost", "tokens", "turns", "seconds"]
BEST_WORDS: dict[Measure, str] = {"cost": "cheapest", "tokens": "fewest", "turns": "fewest", "seconds": "fastest"}
MEASURES: dict[Measure, tuple[str, str]] = {
    "cost": ("Cost", "By the prices of LiteLLM’s table, or those that an admin wrote down"),
    "tokens": ("Tokens", "Estimated: tools and messages of all prompts together"),
    "turns": ("Turns", "Answers of the model"),
    "seconds": ("Time", "From the first event to the last"),
}
TOLD_AT_ONCE: tuple[Measure, ...] = ("cost", "tokens")
"""Measures whose differences say something before the lanes are over."""
_VALUE: dict[Measure, Callable[[Figures], float | None]] = {
    "cost": lambda one: 0.0 if one.is_free else one.cost,
    "tokens": lambda one: one.tokens,
    "turns": lambda one: one.turns,
    "seconds": lambda one: one.seconds,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """`percent` is the difference against the lead lane, None for itself and where one of them is nothing or not known."""

    place: int
    figures: Figures
    value: float | None
    percent: int | None = None
    best: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    measure: Measure
    title: str
    about: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class LaneSummary:
    """`lead` is the place of the lane that the others are set against; `titles` are by place, the `cap` is in dollars."""

    lead: int
    lanes: tuple[tuple[int, Figures], ...]
    titles: Mapping[int, str]
    cap: float | None
    rows: tuple[Row, ...]

    @property
    def is_over(self) -> bool:
        return all(figures.status not in ("waiting", "running") for _, figures in self.lanes)

    @property
    def heads(self) -> list[tuple[int, str]]:
        return [(place, self.titles.get(place, "")) for place, _ in self.lanes]

    @property
    def successes(self) -> int:
        return sum(figures.is_success for _, figures in self.lanes)

    @property
    def cost(self) -> float | None:
        """Of all lanes; None where one of them has no price."""
        costs = [0.0 if figures.is_free else figures.cost for _, figures in self.lanes]
        return None if None in costs else sum(cost or 0.0 for cost in costs)

    @property
    def is_free(self) -> bool:
        return all(figures.is_free for _, figures in self.lanes)


def summary_of(
    lanes: Sequence[Lane], lead: int, expected: Sequence[Call], titles: Mapping[int, str], cap: float | None
) -> LaneSummary:
    """Which lane is best is told once all are over, of those that are a success, and where they differ."""
    figures = tuple((lane.place, figures_of(lane, expected)) for lane in lanes)
    return LaneSummary(lead, figures, titles, cap, tuple(_rows(figures, lead, all(lane.is_over for lane in lanes))))


def _rows(lanes: tuple[tuple[int, Figures], ...], lead: int, is_over: bool) -> Iterator[Row]:
    for measure, (title, about) in MEASURES.items():
        values = {place: _VALUE[measure](figures) for place, figures in lanes}
        is_told = is_over or measure in TOLD_AT_ONCE
        compared = [values[place] for place, figures in lanes if figures.is_success]
        best = _best(compared) if is_over else None
        cells = tuple(
            Cell(
                place,
                figures,
                values[place],
                _percent(values[place], values.get(lead)) if is_told and place != lead else None,
                BEST_WORDS[measure] if best is not None and figures.is_success and values[place] == best else "",
            )
            for place, figures in lanes
        )
        yield Row(measure, title, about, cells)


def _best(values: Sequence[float | None]) -> float | None:
    """The least; None where there is nothing to choose between, or one is not known."""
    known = [value for value in values if value is not None]
    if len(known) < len(values) or len(set(known)) < 2:
        return None
    return min(known)


def _percent(value: float | None, of: float | None) -> int | None:
    if value is None or not of or not value:
        return None
    return round((value - of) / of * 100)
