"""Why a tool scored what it scored: one tree for every engine, whose values are computed from their parts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import mul
from typing import Literal

Combination = Literal["fact", "sum", "best", "product"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A value and how it came about.

    `field` names the part of the tool that it speaks of (`name`, `description`, …, or `bonus`), which gives the bar its colour.
    `background` is told, not counted: what a fused engine said. `term` is the index term that it speaks of, if it is one;
    several are parted by spaces. `letters` are what was sought as it is typed, whatever its case, where that is no term.
    """

    value: float
    reason: str
    combination: Combination = "fact"
    parts: tuple["Explanation", ...] = ()
    field: str = ""
    background: "Explanation | None" = None
    term: str = ""
    letters: str = ""

    def contributions(self) -> Iterator["Explanation"]:
        """The parts that add up to the value, down to the last addition: the segments of the stacked bar."""
        match self.combination:
            case "sum" if not self.field:
                for part in self.parts:
                    yield from part.contributions()
            case "best" if self.parts and not self.field:
                yield from self.winner.contributions()
            case _:
                yield self

    def evidence(self) -> Iterator["Explanation"]:
        """Whatever speaks of a field, whether or not it gave the value."""
        if self.field:
            yield self
            return
        for part in self.parts:
            yield from part.evidence()

    @property
    def winner(self) -> "Explanation":
        """The part of a `best` that gave the value: the first of the highest."""
        return max(self.parts, key=lambda part: part.value)

    def about(self, field: str) -> "Explanation":
        """The same, said of a field."""
        return replace(self, field=field)


def fact(value: float, reason: str, *, field: str = "") -> Explanation:
    return Explanation(value, reason, field=field)


def sum_of(reason: str, parts: Iterable[Explanation], *, field: str = "") -> Explanation:
    kept = tuple(parts)
    return Explanation(sum(part.value for part in kept), reason, "sum", kept, field)


def best_of(reason: str, parts: Iterable[Explanation], *, field: str = "") -> Explanation:
    """The highest of the parts; the losing ones are kept, to be shown faintly. 0 if there is none."""
    kept = tuple(parts)
    return Explanation(max((part.value for part in kept), default=0.0), reason, "best", kept, field)


def product_of(reason: str, parts: Iterable[Explanation], *, field: str = "") -> Explanation:
    kept = tuple(parts)
    return Explanation(reduce(mul, (part.value for part in kept), 1.0), reason, "product", kept, field)
