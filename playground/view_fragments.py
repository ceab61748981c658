"""What changed in a run for those who watch its trace, its toolset or its model calls, as htmx swaps it in."""

from collections.abc import Callable, Iterator

from django.template.loader import render_to_string

from playground.runs.model_calls import model_calls
from playground.runs.state import RunState
from playground.runs.steps import Said
from playground.runs.toolset import toolset_of
from playground.runs.trace import TraceRow, trace_of

MOST_ROWS = 150
"""Tools that a toolset shows unasked; of more, only those to which something happened."""


def _trace(before: RunState, after: RunState) -> Iterator[str]:
    old, new = trace_of(before), trace_of(after)
    if old.ticks != new.ticks:
        yield render_to_string("playground/_trace_scale.html", {"ticks": new.ticks, "swap": True})
    known = {row.key: row for row in old}
    for row in new:
        if row.key in known and row != known[row.key]:
            yield _row(row, swap=True)
    if more := [_row(row, swap=False) for row in new if row.key not in known]:
        yield f'<div hx-swap-oob="beforeend:#run-trace">{"".join(more)}</div>'


def _row(row: TraceRow, *, swap: bool) -> str:
    return render_to_string(f"playground/trace/{row.kind}.html", {"row": row, "swap": swap})


def _toolset(before: RunState, after: RunState) -> Iterator[str]:
    if _told(before) == _told(after):
        return
    old, new = (toolset_of(state).shortened(MOST_ROWS) for state in (before, after))
    if (old.columns, old.groups) != (new.columns, new.groups):
        yield render_to_string("playground/_toolset_grid.html", {"toolset": new, "swap": True})
    if (old.columns, old.never) != (new.columns, new.never):
        yield render_to_string("playground/_toolset_never.html", {"toolset": new, "swap": True})


def _told(state: RunState) -> list[int]:
    """Which steps stand there, but for what is said: a step that an event leaves alone stays the same one."""
    return [id(step) for step in state.steps if not isinstance(step, Said)]


def _raw(before: RunState, after: RunState) -> Iterator[str]:
    old, new = model_calls(before), model_calls(after)
    if old != new:
        yield render_to_string("playground/_raw_calls.html", {"calls": new, "swap": True})


VIEW_FRAMES: dict[str, Callable[[RunState, RunState], Iterator[str]]] = {
    "trace": _trace,
    "toolset": _toolset,
    "raw": _raw,
}
"""By view; the chat has frames of its own."""
