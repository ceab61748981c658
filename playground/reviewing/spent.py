"""What runs spent on finding each tool that they needed, run by run, with the queries that it took."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from playground.reviewing.served import served_by, serving_turns
from playground.reviewing.steps import Search
from playground.reviewing.trails import Trail

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Need(Generic[R]):
    """A run that called a tool with success. `turns` did nothing but bring it in, with others or alone; `tokens` are those
    of their prompts. `searches` are those that were for it; `from_start`: it was in view without one.
    """

    run: R
    seq: int
    turns: int
    tokens: int
    searches: tuple[Search, ...]
    from_start: bool


@dataclass(frozen=True, slots=True)
class Spent(Generic[R]):
    """`needs` are of the newest run first."""

    tool: str
    needs: tuple[Need[R], ...]

    @property
    def turns(self) -> int:
        return sum(need.turns for need in self.needs)

    @property
    def tokens(self) -> int:
        return sum(need.tokens for need in self.needs)

    @property
    def from_start(self) -> int:
        """In how many of the runs it was in view from the start."""
        return sum(need.from_start for need in self.needs)


def spent_on(trails: Sequence[tuple[R, Trail]]) -> list[Spent[R]]:
    """Of every tool that a run needed, the most needed first; `trails` are of runs, the oldest first."""
    found: dict[str, list[Need[R]]] = defaultdict(list)
    for run, trail in reversed(trails):
        for need in _needs(run, trail):
            found[need[0]].append(need[1])
    told = (Spent(tool, tuple(needs)) for tool, needs in found.items())
    return sorted(told, key=lambda one: (-len(one.needs), -one.tokens, one.tool))


def _needs(run: R, trail: Trail) -> "list[tuple[str, Need[R]]]":
    served = served_by(trail)
    serving = list(zip(trail.turns, serving_turns(trail, served), strict=True))
    needs: dict[str, Need[R]] = {}
    for call in trail.calls:
        if call.outcome == "ok" and call.key not in needs:
            turns = [turn for turn, serves in serving if serves and call.key in serves]
            searches = tuple(one for one in trail.searches if call.key in served.get(one.call_id, ()))
            tokens = sum(turn.tools + turn.messages for turn in turns)
            from_start = bool(trail.turns) and call.key in trail.turns[0].start
            needs[call.key] = Need(run, call.seq, len(turns), tokens, searches, from_start)
    return list(needs.items())
