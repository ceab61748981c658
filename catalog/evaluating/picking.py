"""The queries of an evaluation that a number on a page counts, by the word that its address has."""

from collections.abc import Collection, Sequence
from typing import Literal, get_args

from catalog.evaluating.changes import Measured

Which = Literal["complete", "incomplete", "empty", "missing"]
WHICH: tuple[Which, ...] = get_args(Which)
TOLD: dict[str, str] = {
    "complete": "with a tool for every need among the first five",
    "incomplete": "that lack a tool for some need among the first five",
    "empty": "for which nothing was found",
    "missing": "that a tool which is not in this version answers",
}


def picked(found: Sequence[Measured], which: str, missing: Collection[str] = ()) -> list[Measured]:
    """`missing` are tools that the edition lacks; all where the word is none of WHICH."""
    match which:
        case "complete":
            return [one for one in found if one.succeeds]
        case "incomplete":
            return [one for one in found if not one.succeeds]
        case "empty":
            return [one for one in found if not one.hits]
        case "missing":
            gone = set(missing)
            return [one for one in found if any(gone & group for group in one.groups)]
    return list(found)
