"""Two evaluations, query by query: what regressed, was fixed, still fails, is new or gone, and whose ranks changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from catalog.evaluating.metrics import COMPLETE_AT, completeness
from catalog.evaluating.statistics import Difference, difference

Kind = Literal["regressed", "fixed", "failing", "changed", "same", "new", "removed"]
KINDS: dict[Kind, str] = {
    "regressed": "Regressed",
    "fixed": "Fixed",
    "new": "New",
    "removed": "Removed",
    "changed": "Other rank",
    "failing": "Still failing",
    "same": "As before",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One query of an evaluation: its figures, and the ranks of the tools that answer it, as far as they are told."""

    text: str
    tags: tuple[str, ...]
    groups: tuple[frozenset[str], ...]
    hits: tuple[str, ...]
    ranks: Mapping[str, int]
    figures: Mapping[str, float]

    @property
    def succeeds(self) -> bool:
        """Whether every need has a tool among the first five."""
        return completeness(self.hits[:COMPLETE_AT], self.groups) == 1

    @property
    def answers(self) -> list[tuple[str, int | None]]:
        """The tools that answer, by rank; None beyond what was told."""
        tools = sorted({tool for group in self.groups for tool in group})
        return sorted(((tool, self.ranks.get(tool)) for tool in tools), key=lambda one: (one[1] is None, one[1] or 0))

    @property
    def best_rank(self) -> int | None:
        return min(self.ranks.values(), default=None)


@dataclass(frozen=True, slots=True)
class Held:
    """One metric of two evaluations over the queries that both have: the means, and how they differ; None where they share none."""

    name: str
    before: float | None
    after: float | None
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class Change:
    kind: Kind
    before: Measured | None
    after: Measured | None

    @property
    def text(self) -> str:
        one = self.after or self.before
        return one.text if one else ""


def changes(before: Sequence[Measured], after: Sequence[Measured]) -> list[Change]:
    """Every query of either, matched by its text, in the order of KINDS."""
    old, new = ({one.text: one for one in side} for side in (before, after))
    found = [Change(_kind(old.get(text), new.get(text)), old.get(text), new.get(text)) for text in {**old, **new}]
    return sorted(found, key=lambda change: list(KINDS).index(change.kind))


def held(before: Sequence[Measured], after: Sequence[Measured], metric: str) -> Held:
    shared = [(one.before, one.after) for one in changes(before, after) if one.before and one.after]
    if not shared:
        return Held(metric, None, None, None)
    means = [sum(side.figures[metric] for side in sides) / len(shared) for sides in zip(*shared, strict=True)]
    return Held(metric, means[0], means[1], compared(before, after, metric))


def differing(found: Sequence[Change], metric: str) -> list[Change]:
    """Queries of both whose figure differs, those that lost most first."""
    both = [(one, one.after.figures[metric] - one.before.figures[metric]) for one in found if one.before and one.after]
    return [one for one, delta in sorted(both, key=lambda pair: pair[1]) if delta]


def compared(
    before: Sequence[Measured], after: Sequence[Measured], metric: str, comparisons: int = 1
) -> Difference | None:
    """The second against the first over the queries that both have; None where they share none."""
    old = {one.text: one.figures[metric] for one in before}
    pairs = [(old[one.text], one.figures[metric]) for one in after if one.text in old]
    return difference([a for a, _ in pairs], [b for _, b in pairs], comparisons) if pairs else None


def _kind(before: Measured | None, after: Measured | None) -> Kind:
    if before is None or after is None:
        return "new" if before is None else "removed"
    match before.succeeds, after.succeeds:
        case True, False:
            return "regressed"
        case False, True:
            return "fixed"
        case False, False:
            return "failing"
    return "same" if before.ranks == after.ranks else "changed"
