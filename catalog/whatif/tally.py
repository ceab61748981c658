"""What a change does to all queries together, each number with the queries behind it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalog.evaluating.metrics import METRICS, mean
from catalog.whatif.shifts import Shift

TOLD = ("recall@5", "nDCG@10")
"""The figures that a line has room for."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over the judged queries."""

    name: str
    before: float
    after: float

    @property
    def gain(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Tally:
    """`key` is the edited tool, empty where the change is of something else; `k` are the hits that count as returned."""

    shifts: Sequence[Shift]
    key: str = ""
    k: int = 5

    @cached_property
    def changed(self) -> list[Shift]:
        return [shift for shift in self.shifts if shift.changed]

    @cached_property
    def higher(self) -> list[Shift]:
        """Where the edited tool rises."""
        return [shift for shift in self.changed if self.key and shift.move(self.key).rise > 0]

    @cached_property
    def lower(self) -> list[Shift]:
        return [shift for shift in self.changed if self.key and shift.move(self.key).rise < 0]

    @cached_property
    def better(self) -> list[Shift]:
        """Judged queries that gain."""
        return [shift for shift in self.changed if shift.is_better]

    @cached_property
    def worse(self) -> list[Shift]:
        return sorted((shift for shift in self.changed if shift.is_worse), key=lambda shift: shift.gain)

    @cached_property
    def pushed_out(self) -> dict[str, list[Shift]]:
        """The other tools that leave the first `k`, those that leave most queries first."""
        found: defaultdict[str, list[Shift]] = defaultdict(list)
        for shift in self.changed:
            for key in shift.went_out(self.k):
                if key != self.key:
                    found[key].append(shift)
        return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))

    @cached_property
    def pushing(self) -> list[Shift]:
        """The queries that lose one of these."""
        return [shift for shift in self.changed if any(key != self.key for key in shift.went_out(self.k))]

    @cached_property
    def failing(self) -> list[Shift]:
        """The queries that lack a tool that they should return, after the change too."""
        return [shift for shift in self.shifts if shift.fails(self.k)]

    @cached_property
    def judged(self) -> list[Shift]:
        return [shift for shift in self.shifts if shift.query.is_judged]

    @cached_property
    def figures(self) -> list[Figure]:
        """Every metric over the judged queries; none where none is judged."""
        if not self.judged:
            return []
        before = mean([shift.figures_before for shift in self.judged])
        after = mean([shift.figures_after for shift in self.judged])
        return [Figure(name, before[name], after[name]) for name in METRICS]

    @property
    def told_figures(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.name in TOLD]

    @cached_property
    def called(self) -> tuple[int, int, int]:
        """Of recorded queries after which a tool was called: those that return it before, after, and how many there are."""
        led = [shift for shift in self.shifts if shift.query.called]
        return self._returned(led, "before"), self._returned(led, "after"), len(led)

    def _returned(self, shifts: Iterable[Shift], side: str) -> int:
        return sum(not shift.query.called.isdisjoint(getattr(shift, side).kept[: self.k]) for shift in shifts)
