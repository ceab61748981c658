"""How far two rankings agree: their average overlap, from 0, nothing in common, to 1, the same in the same order."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """`shared[d - 1]` counts the tools that both have among their first `d`."""

    shared: tuple[int, ...]

    @property
    def value(self) -> float:
        """The mean over every depth d of the share of d that both have (Fagin, Kumar and Sivakumar 2003)."""
        return sum(count / depth for depth, count in enumerate(self.shared, start=1)) / len(self.shared)

    @property
    def steps(self) -> str:
        """What is averaged: `0/1 + 1/2 + 3/3`."""
        return " + ".join(f"{count}/{depth}" for depth, count in enumerate(self.shared, start=1))


def overlap_of(one: Sequence[str], other: Sequence[str]) -> Overlap | None:
    """The overlap down to the end of the longer list; None of two empty ones. A name counts where it stands first."""
    depths = range(1, max(len(one), len(other)) + 1)
    shared = tuple(len(set(one[:depth]) & set(other[:depth])) for depth in depths)
    return Overlap(shared) if shared else None
