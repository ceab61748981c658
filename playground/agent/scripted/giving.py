"""Giving a task's values away to the parameters that they suit, each once."""

from collections.abc import Iterator, Sequence
from typing import Any

from playground.agent.scripted.building import Filled
from playground.agent.scripted.leaf_fit import EVIDENCE, leaf_fit
from playground.agent.scripted.leaves import ITEM, Leaf, Path
from playground.agent.scripted.values import Value

_PLAIN = 2.5
"""The fit from which further values belong into further elements of a list."""


def give_away(values: Sequence[Value], free: Sequence[Leaf], others: Sequence[Value] = ()) -> Filled:
    """The best pairs first; a list takes all that plainly suit it. `others` complete a value: the day of a time."""
    pairs = [(leaf_fit(leaf, value), leaf, value) for leaf in free for value in values]
    pairs = [pair for pair in pairs if pair[0] >= EVIDENCE or (pair[0] and pair[1].required)]
    given: dict[Path, list[tuple[int, Any]]] = {}
    used: set[Value] = set()
    for fits, leaf, value in sorted(pairs, key=lambda pair: -pair[0]):
        takes_more = ITEM in leaf.path and (fits >= _PLAIN or leaf.path[-1] == ITEM)
        if value not in used and (leaf.path not in given or takes_more):
            used.update(_spent(leaf, value, values))
            given.setdefault(leaf.path, []).append((value.start, _typed(leaf, value, (*values, *others))))
    return {
        path: [typed for _, typed in sorted(entries, key=lambda entry: entry[0])] for path, entries in given.items()
    }


def _typed(leaf: Leaf, value: Value, around: Sequence[Value]) -> Any:
    if leaf.type in ("integer", "number"):
        return value.number
    if leaf.schema.get("format") != "date-time":
        return value.text
    day = value.text if value.kind == "date" else _first("date", around)
    time = value.text if value.kind == "time" else _first("time", around) or "09:00"
    return f"{day}T{time}:00Z" if day else time


def _first(kind: str, values: Sequence[Value]) -> str:
    return next((value.text for value in values if value.kind == kind), "")


def _spent(leaf: Leaf, value: Value, values: Sequence[Value]) -> Iterator[Value]:
    """The value, and the days that went into a moment with it."""
    yield value
    if value.kind == "time" and leaf.schema.get("format") == "date-time":
        yield from (other for other in values if other.kind == "date")
