"""The views of a run: a cell of its toolset in words, where the bar of a trace's row lies, and JSON that is exact and legible."""

import json
from dataclasses import dataclass
from typing import Any

from django.template import Library

from catalog.invisible import spans
from playground.runs.toolset import Cell, CellState
from playground.runs.trace import TraceRow

register = Library()

WIDTH = 1_000
LEAST = 4
"""Of WIDTH, so that a bar can be seen."""
MOST_INLINE = 4_000
"""Characters of a text that a row shows unasked."""
MOST_PART = 60_000
"""Characters of a part of a request, or of an answer, that a page shows; the download has all."""
_CLASSES: dict[CellState, str] = {
    "hit": "hit-at",
    "ok": "called-ok",
    "failed": "called-bad",
    "calling": "calling",
    "loaded": "loaded",
    "dropped": "dropped",
}
_WORDS: dict[CellState, str] = {
    "ok": "called",
    "failed": "called, and it failed or was refused",
    "calling": "being called",
    "loaded": "loaded",
    "dropped": "no longer in view",
}


@dataclass(frozen=True, slots=True)
class TraceBar:
    """In thousandths of the scale."""

    x: float
    width: float


@register.filter
def cell_class(cell: Cell) -> str:
    found = " cut" if cell.cut_by else ""
    return _CLASSES.get(cell.state, cell.state) + found


@register.filter
def cell_words(cell: Cell) -> str:
    """Turn 3: found at rank 2 by “weather”, called twice."""
    told = [f"found at rank {cell.rank} by “{cell.query}”"] if cell.rank else []
    told += [f"cut by {cell.cut_by}"] if cell.cut_by else []
    told += [_WORDS[cell.state]] if cell.state in _WORDS else []
    told += [f"{cell.calls} calls"] if cell.calls > 1 else []
    return f"Turn {cell.turn}: {', '.join(told)}"


@register.filter
def bar_of(row: TraceRow) -> TraceBar | None:
    """None where nothing is known of when it was."""
    if row.start is None or not row.scale:
        return None
    width = max((row.seconds or 0.0) / row.scale * WIDTH, LEAST)
    return TraceBar(round(min(row.start / row.scale * WIDTH, WIDTH - LEAST), 1), round(min(width, WIDTH), 1))


@register.filter
def inline(text: str) -> str:
    """As much of a text as a row shows unasked."""
    return text[:MOST_INLINE]


@register.filter
def is_long(text: str) -> bool:
    return len(text) > MOST_INLINE


@register.filter
def exact_json(value: Any) -> str:
    """JSON laid out in lines; characters that nobody sees are written as escapes, so that a copy is the same value."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(json.dumps(span.text)[1:-1] if span.codepoint else span.text for span in spans(text))


@register.filter
def part_of(text: str) -> str:
    """As much of a text as a page shows."""
    return text[:MOST_PART]


@register.filter
def is_partial(text: str) -> bool:
    return len(text) > MOST_PART


@register.filter
def request_parts(request: Any) -> list[tuple[str, list[tuple[str, Any]]]]:
    """The lists of a request, each with its parts and what these are called."""
    if not isinstance(request, dict):
        return []
    lists = ((key, value) for key, value in request.items() if isinstance(value, list) and value)
    return [
        (key, [(_part_name(part, place), part) for place, part in enumerate(value, start=1)]) for key, value in lists
    ]


@register.filter
def request_rest(request: Any) -> Any:
    """The request without its lists: the parameters."""
    if not isinstance(request, dict):
        return request
    return {key: value for key, value in request.items() if not (isinstance(value, list) and value)}


def _part_name(part: Any, place: int) -> str:
    """A message by who says it, a tool by its name."""
    if not isinstance(part, dict):
        return str(place)
    function = part.get("function")
    named = function.get("name") if isinstance(function, dict) else part.get("name") or part.get("role")
    return str(named or part.get("type") or place)
