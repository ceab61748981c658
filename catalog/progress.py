"""How far long work of this process has come, for the pages that it serves; what is written in one transaction shows nothing before."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Model

Tell = Callable[[int], None]
"""Hears how many are done."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, in words, and to how many of the `total` it has come; 0 where that is not known."""

    step: str
    done: int = 0
    total: int = 0


_under_way: dict[tuple[str, int], Progress] = {}


def untold(done: int) -> None:
    """For work that nobody watches."""


def begin(row: Model, step: str, total: int = 0) -> Tell:
    """The step that work on a row has come to; what is returned is told how many are done."""
    key = _key(row)
    _under_way[key] = Progress(step, total=total)

    def tell(done: int) -> None:
        _under_way[key] = Progress(step, done, total)

    return tell


def progress_of(row: Model) -> Progress | None:
    """None where this process does not work on it."""
    return _under_way.get(_key(row))


def end(row: Model) -> None:
    _under_way.pop(_key(row), None)


def _key(row: Model) -> tuple[str, int]:
    return row._meta.label, int(row.pk)
