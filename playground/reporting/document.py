"""A report as a document of figures and tables, which the page, Markdown and CSV all show."""

from dataclasses import dataclass
from typing import Literal

from playground.reporting.measures import Part
from playground.reporting.period import Period

MOST_TOLD = 6
"""Rows of a table of queries or tools; the others are a link away."""
WIDE = 5
"""Columns that fit beside another table."""
TOLD = "What it changed"
"""Heads a column of sentences."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text from whoever, and the address of what stands behind it. A `tool` is a name as models call it."""

    text: str
    address: str = ""
    kind: Literal["text", "tool"] = "text"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: what it counts, over what, and what it was before."""

    value: str
    label: str
    note: str = ""
    before: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The first cell of a row names it. `more` leads to all rows, of which these are the first; `empty` is said without any."""

    slug: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    empty: str
    note: str = ""
    more: Cell | None = None

    @property
    def is_wide(self) -> bool:
        """Whether it needs the whole width of a page."""
        return len(self.columns) > WIDE or self.columns[-1].title == TOLD


@dataclass(frozen=True, slots=True)
class Section:
    """`parts`, in the section that has them, are the period step by step."""

    slug: str
    title: str
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """`headline` is one sentence in pieces; `aside` says what is not counted."""

    catalog: str
    period: Period
    headline: tuple[Cell, ...]
    sections: tuple[Section, ...]
    aside: str = ""

    def table(self, slug: str) -> Table | None:
        return next((table for section in self.sections for table in section.tables if table.slug == slug), None)


def counted(count: int, one: str, many: str = "") -> str:
    """What is counted, in the singular or the plural."""
    return one if count == 1 else many or f"{one}s"


def number(count: int) -> str:
    return f"{count:,}"


def count_cell(count: int, address: str) -> Cell:
    """A count with what is behind it; behind none there is nothing."""
    return Cell(number(count), address if count else "")


def columns(*titles: str) -> tuple[Column, ...]:
    """Those that begin with # hold numbers."""
    return tuple(Column(title.removeprefix("#"), title.startswith("#")) for title in titles)


def more_of(count: int, shown: int, what: str, address: str) -> Cell | None:
    """The way to all of them, where not all are shown."""
    return Cell(f"All {count:,} {what}", address) if count > shown else None
