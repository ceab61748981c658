"""What a change does to one query: who rises, falls, comes in and goes out, and what the judged figures become."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from catalog.evaluating.metrics import measure
from catalog.search.orders import Order
from catalog.whatif.queries import KnownQuery

FIGURE = "nDCG@10"
"""The figure by which a judged query is better or worse: it sees every rank that is looked at."""
LEAST = 1e-9
"""What a figure must differ by to count: sums in another order differ in the last bits."""


@dataclass(frozen=True, slots=True)
class Move:
    """The rank of a tool before and after; None where the engine does not tell of it."""

    key: str
    before: int | None
    after: int | None

    @property
    def rise(self) -> int:
        """1 where it stands higher than before, -1 where lower, else 0."""
        old, new = self.before or 1_000, self.after or 1_000
        return (old > new) - (old < new)


@dataclass(frozen=True)
class Shift:
    """A query with the order of its tools before and after."""

    query: KnownQuery
    before: Order
    after: Order

    @property
    def changed(self) -> bool:
        return self.before != self.after

    def move(self, key: str) -> Move:
        return Move(key, self.before.rank(key), self.after.rank(key))

    def answer_moves(self) -> list[Move]:
        """Those of the tools that should be found, as they stood before."""
        return [*map(self.move, sorted(self.query.answers, key=lambda key: (self.before.rank(key) or 1_000, key)))]

    def moves(self, key: str = "") -> list[Move]:
        """Those of the edited tool, of the tools that should be found, and of all that move among the returned."""
        told = dict.fromkeys([*filter(None, [key]), *(move.key for move in self.answer_moves())])
        shifted = (
            move for other in dict.fromkeys((*self.after.kept, *self.before.kept)) if (move := self.move(other)).rise
        )
        return [*map(self.move, told), *(move for move in shifted if move.key not in told)]

    def came_in(self, k: int) -> Iterator[str]:
        """The tools that are among the first `k` now and were not."""
        return (key for key in self.after.kept[:k] if key not in self.before.kept[:k])

    def went_out(self, k: int) -> Iterator[str]:
        return (key for key in self.before.kept[:k] if key not in self.after.kept[:k])

    @cached_property
    def figures_before(self) -> dict[str, float]:
        """Of a judged query."""
        return self._measured(self.before)

    @cached_property
    def figures_after(self) -> dict[str, float]:
        return self._measured(self.after) if self.changed else self.figures_before

    @property
    def gain(self) -> float:
        """What the query gains in FIGURE; 0 where it is not judged."""
        return self.figures_after[FIGURE] - self.figures_before[FIGURE] if self.query.is_judged else 0.0

    @property
    def is_worse(self) -> bool:
        return self.gain < -LEAST

    @property
    def is_better(self) -> bool:
        return self.gain > LEAST

    def _measured(self, order: Order) -> dict[str, float]:
        return measure(order.kept, self.query.groups, self.query.fine)

    def fails(self, k: int) -> bool:
        """Whether the change leaves a tool that should be found out of the first `k`, and whoever else would do."""
        first = self.after.kept[:k]
        return any(group.isdisjoint(first) for group in self.query.groups or [self.query.called] if group)


def lacking(key: str, shifts: Iterable[Shift], k: int) -> list[Shift]:
    """Those whose query should find the tool and does not return it among the first `k` after the change."""
    return [shift for shift in shifts if key in shift.query.answers and key not in shift.after.kept[:k]]
