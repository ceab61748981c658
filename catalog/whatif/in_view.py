"""Which queries need no search, as a tool that they should find is in view from the start, and what that costs each turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.prompt_size import estimate_tools
from catalog.tools import ToolPool
from catalog.whatif.queries import KnownQuery
from catalog.whatif.shifts import Shift


@dataclass(frozen=True, slots=True)
class InView:
    """The keys of the tools in view from the start before and after, and the tokens (estimated) of each turn."""

    before: frozenset[str]
    after: frozenset[str]
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Spared:
    """Queries that need no search after a change, and did before; those that need one again; and how many there are of either side.

    `known` counts the queries of which it is known what they should find.
    """

    view: InView
    spared: Sequence[Shift]
    again: Sequence[Shift]
    before: int
    after: int
    known: int


def in_view(before: ToolPool, after: ToolPool) -> InView:
    keys = [frozenset(tool.key for tool in pool.upfront) for pool in (before, after)]
    return InView(keys[0], keys[1], estimate_tools(before.upfront), estimate_tools(after.upfront))


def spared(view: InView, shifts: Iterable[Shift]) -> Spared:
    told = [shift for shift in shifts if shift.query.answers]
    was = [needs_no_search(shift.query, view.before) for shift in told]
    now = [needs_no_search(shift.query, view.after) for shift in told]
    both = list(zip(told, was, now, strict=True))
    return Spared(
        view,
        [shift for shift, old, new in both if new and not old],
        [shift for shift, old, new in both if old and not new],
        sum(was),
        sum(now),
        len(told),
    )


def needs_no_search(query: KnownQuery, view: frozenset[str]) -> bool:
    """Whether a tool of each of its needs is in view, or a tool that runs called."""
    return all(not group.isdisjoint(view) for group in query.groups or [query.called])
