"""Pairs of tools of which one is mistaken for the other, put in order by their evidence, and the most tangled as a matrix."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from playground.reviewing.mistaken import KINDS, Evidence, Kind
from playground.reviewing.trails import Trail

R = TypeVar("R")
MOST_IN_MATRIX = 20
"""Rows, and columns."""
LEVELS = 4
"""Shades of a matrix's cells, besides none."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[R]):
    """`mistaken` is taken, or put first, where `right` would have done. `together` counts the searches that returned both."""

    right: str
    mistaken: str
    evidence: tuple[Evidence[R], ...]
    together: int = 0

    @property
    def weight(self) -> int:
        return sum(one.kind.weight for one in self.evidence)

    @property
    def counts(self) -> tuple[tuple[Kind, int], ...]:
        """Each kind with its pieces of evidence, those that weigh most first."""
        counted = ((kind, sum(one.kind is kind for one in self.evidence)) for kind in KINDS)
        return tuple((kind, number) for kind, number in counted if number)

    @property
    def runs(self) -> int:
        return len({one.run for one in self.evidence if one.run is not None})


@dataclass(frozen=True, slots=True)
class Cell(Generic[R]):
    """A pair in the matrix: its row and column (from 0), and its shade from 1 to LEVELS."""

    pair: Pair[R]
    row: int
    column: int
    level: int


@dataclass(frozen=True, slots=True)
class Matrix(Generic[R]):
    """`rows` are right tools, `columns` those mistaken for them; `others` counts the pairs that have no room."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Cell[R], ...]
    others: int


def pairs_of(evidence: Iterable[Evidence[R]], trails: Sequence[Trail]) -> list[Pair[R]]:
    """Those with most weight first."""
    found: dict[tuple[str, str], list[Evidence[R]]] = defaultdict(list)
    for one in evidence:
        found[one.right, one.mistaken].append(one)
    returned = _returned(trails)
    empty: frozenset[int] = frozenset()
    pairs = (
        Pair(right, mistaken, tuple(pieces), len(returned.get(right, empty) & returned.get(mistaken, empty)))
        for (right, mistaken), pieces in found.items()
    )
    return sorted(pairs, key=lambda pair: (-pair.weight, -pair.together, pair.right, pair.mistaken))


def matrix_of(pairs: Sequence[Pair[R]]) -> Matrix[R]:
    """Of the pairs with most weight, up to MOST_IN_MATRIX tools each way; columns of a row stand side by side."""
    right = list(dict.fromkeys(pair.right for pair in pairs))[:MOST_IN_MATRIX]
    by_row = sorted((pair for pair in pairs if pair.right in right), key=lambda pair: right.index(pair.right))
    heaviest = list(dict.fromkeys(pair.mistaken for pair in pairs if pair.right in right))[:MOST_IN_MATRIX]
    shown = [pair for pair in by_row if pair.mistaken in heaviest]
    rows = tuple(dict.fromkeys(pair.right for pair in shown))
    columns = tuple(dict.fromkeys(pair.mistaken for pair in shown))
    most = max((pair.weight for pair in shown), default=1)
    cells = (
        Cell(pair, rows.index(pair.right), columns.index(pair.mistaken), -(-pair.weight * LEVELS // most))
        for pair in shown
    )
    return Matrix(rows, columns, tuple(cells), len(pairs) - len(shown))


def _returned(trails: Sequence[Trail]) -> Mapping[str, frozenset[int]]:
    """The searches that returned each tool, by number."""
    found: dict[str, set[int]] = defaultdict(set)
    searches = (search for trail in trails for search in trail.searches)
    for number, search in enumerate(searches):
        for tool in search.keys:
            found[tool].add(number)
    return {tool: frozenset(numbers) for tool, numbers in found.items()}
