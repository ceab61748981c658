"""The matrix of mistaken tools as a picture: where each cell and label lies."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from playground.reviewing.confusion import Cell, Matrix

R = TypeVar("R")
SIZE = 26
HEAD, SLANT = 128, 96
"""What the names of the columns take above, and the last of them at the right."""
LETTER, GAP = 7, 16
MOST_LETTERS = 30
MOST_ABOVE = 24


@dataclass(frozen=True, slots=True)
class Label:
    """A tool, its name as it fits, and the middle of its row or column."""

    tool: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Drawn(Generic[R]):
    """`cells` with the left and upper edge of each."""

    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[tuple[Cell[R], int, int], ...]
    right: int
    bottom: int
    others: int
    left: int
    size: int = SIZE
    top: int = HEAD

    @property
    def width(self) -> int:
        return self.right + SLANT

    @property
    def height(self) -> int:
        return self.bottom + 1


def drawn(matrix: Matrix[R]) -> Drawn[R]:
    names = [_short(tool, MOST_LETTERS) for tool in matrix.rows]
    left = LETTER * max(map(len, names), default=0) + GAP
    rows = (
        Label(tool, name, _middle(HEAD, at)) for at, (tool, name) in enumerate(zip(matrix.rows, names, strict=True))
    )
    columns = (Label(tool, _short(tool, MOST_ABOVE), _middle(left, at)) for at, tool in enumerate(matrix.columns))
    cells = ((cell, left + cell.column * SIZE, HEAD + cell.row * SIZE) for cell in matrix.cells)
    right, bottom = left + len(matrix.columns) * SIZE, HEAD + len(matrix.rows) * SIZE
    return Drawn(tuple(rows), tuple(columns), tuple(cells), right, bottom, matrix.others, left)


def _middle(start: int, place: int) -> int:
    return start + place * SIZE + SIZE // 2


def _short(tool: str, most: int) -> str:
    """Without its server where it does not fit, and cut where it does not fit then."""
    name = tool if len(tool) <= most else tool.partition("/")[2]
    return name if len(name) <= most else f"{name[: most - 1]}…"
