"""Two runs side by side: what each had in view, searched, loaded and called, and where their calls part."""

from collections.abc import Iterator
from dataclasses import dataclass

from playground.models import Run
from playground.runs.aligning import Aligned, align
from playground.runs.outline import Call, Outline, Search, outline_of
from playground.runs.reading import all_events
from playground.runs.state import state_of
from playground.runs.summary import About, Summary

MOST_TOOLS = 200
"""Tools that are listed; those on which the runs differ come first."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the runs. `aligned` holds its calls against what was expected."""

    run: Run
    about: About
    summary: Summary
    outline: Outline
    aligned: tuple[Aligned, ...] = ()

    @property
    def seconds(self) -> float | None:
        return self.summary.seconds


@dataclass(frozen=True, slots=True)
class ToolStanding:
    """What became of a tool in one run: the turns from which it was in view and loaded, its best rank, how often it was called."""

    in_view: int | None
    rank: int | None
    loaded: int | None
    called: int


@dataclass(frozen=True, slots=True)
class ToolRow:
    name: str
    a: ToolStanding
    b: ToolStanding

    @property
    def sides(self) -> tuple[ToolStanding, ToolStanding]:
        return self.a, self.b

    @property
    def differs(self) -> bool:
        return self.a != self.b

    @property
    def weight(self) -> int:
        """2 where one run used it otherwise, 1 where only a search placed it otherwise."""
        used = [(one.in_view, one.loaded, one.called) for one in self.sides]
        return 2 if used[0] != used[1] else int(self.differs)


@dataclass(frozen=True, slots=True)
class SearchRow:
    """The searches of the same number."""

    a: Search | None
    b: Search | None

    @property
    def sides(self) -> tuple[tuple[Search | None, set[str]], tuple[Search | None, set[str]]]:
        """Each with the hits that the other lacks."""
        hits_a, hits_b = (set(one.hits if one else ()) for one in (self.a, self.b))
        return (self.a, hits_a - hits_b), (self.b, hits_b - hits_a)


@dataclass(frozen=True, slots=True)
class RunsCompared:
    """`differing` counts the tools on which they differ, `left` those that are not listed."""

    a: Side
    b: Side
    tools: tuple[ToolRow, ...]
    differing: int
    left: int
    searches: tuple[SearchRow, ...]


def side_of(run: Run) -> Side:
    events = list(all_events(run.pk))
    state = state_of(events)
    return Side(run, state.about, state.summary, outline_of(events))


def compare_runs(a: Side, b: Side) -> RunsCompared:
    rows = sorted(_tools(a.outline, b.outline), key=lambda row: -row.weight)
    differing, left = sum(row.differs for row in rows), max(0, len(rows) - MOST_TOOLS)
    return RunsCompared(a, b, tuple(rows[:MOST_TOOLS]), differing, left, tuple(_searches(a.outline, b.outline)))


def against(expected: tuple[Call, ...], side: Side) -> tuple[Aligned, ...]:
    return tuple(align(expected, side.outline.calls))


def _tools(a: Outline, b: Outline) -> Iterator[ToolRow]:
    return (ToolRow(name, _standing(a, name), _standing(b, name)) for name in {**a.tools, **b.tools})


def _standing(outline: Outline, name: str) -> ToolStanding:
    return ToolStanding(
        outline.in_view.get(name), outline.best_rank(name), outline.loaded.get(name), outline.times_called(name)
    )


def _searches(a: Outline, b: Outline) -> Iterator[SearchRow]:
    for place in range(max(len(a.searches), len(b.searches))):
        yield SearchRow(*(one.searches[place] if place < len(one.searches) else None for one in (a, b)))
