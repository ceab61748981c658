"""Tools by model calls: what became of each tool in each turn of a run, read off its state; the same live and replayed.

A row is a tool that was in view at some time, a column a model call. What a call did stands in the column of its turn; what
it brought into view is in view from the next column on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from playground.agent.events import HitFound
from playground.runs.board import Peg
from playground.runs.state import RunState
from playground.runs.steps import Called, CallState, Loaded, Offered, Searched, Step, call_of

Part = Literal["upfront", "found", "never"]
CellState = Literal["hidden", "visible", "hit", "loaded", "calling", "ok", "failed", "dropped"]


CALLED: Mapping[CallState, CellState] = {"asked": "calling", "held": "calling", "sent": "calling", "ok": "ok"}
"""What is told of a call; every other state is a failure."""


@dataclass(frozen=True, slots=True)
class Column:
    """A model call. `tokens` are those of its tools, `messages` those of all else, estimated.

    `seq` is the event of its offer. `broke` says what was no longer sent as before.
    """

    turn: int
    seq: int
    in_view: int
    tokens: int
    messages: int
    prefix_kept: bool
    broke: str


@dataclass(frozen=True, slots=True)
class Cell:
    """`seq` is the event of what caused it, 0 where nothing in this turn did; `rank` that of the hit, 0 where it was none.

    `cut_by` names what kept the hit from being returned; `calls` counts the calls of the turn.
    """

    turn: int
    state: CellState
    seq: int = 0
    rank: int = 0
    query: str = ""
    cut_by: str = ""
    calls: int = 0


@dataclass(frozen=True, slots=True)
class ToolRow:
    """`tokens` are what it adds to a prompt, None where it was never in view."""

    name: str
    server: str
    cause: str
    tokens: int | None
    cells: tuple[Cell, ...]

    @property
    def is_touched(self) -> bool:
        """Whether anything happened to it but being in view."""
        return any(cell.seq for cell in self.cells)


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The rows of one server, in the order in which they came into view; `untold` counts those that are left out."""

    part: Part
    server: str
    rows: tuple[ToolRow, ...]
    untold: int = 0

    def shortened(self) -> "RowGroup":
        """Without those that were only ever in view."""
        told = tuple(row for row in self.rows if row.is_touched)
        return replace(self, rows=told, untold=len(self.rows) - len(told))


@dataclass(frozen=True, slots=True)
class Toolset:
    """`groups` are those ever in view: upfront first, then by first load. `never` were found or called and never in view."""

    columns: tuple[Column, ...] = ()
    groups: tuple[RowGroup, ...] = ()
    never: tuple[RowGroup, ...] = ()

    @property
    def size(self) -> int:
        return sum(len(group.rows) + group.untold for group in self.groups)

    @property
    def untold(self) -> int:
        return sum(group.untold for group in self.groups)

    def shortened(self, most: int) -> "Toolset":
        """Where there are more than `most` rows, only those to which something happened."""
        return self if self.size <= most else replace(self, groups=tuple(group.shortened() for group in self.groups))


@dataclass(slots=True)
class _Turn:
    """What one turn did: calls by the tool called, hits and loads by the tool found or loaded."""

    offered: Offered
    in_view: frozenset[str]
    dropped: frozenset[str]
    hits: dict[str, tuple[int, HitFound, str]] = field(default_factory=dict)
    loads: dict[str, int] = field(default_factory=dict)
    calls: dict[str, list[tuple[int, Called]]] = field(default_factory=dict)

    def take(self, step: Step) -> None:
        match step:
            case Searched(seq=seq, found=found):
                self.hits.update({hit.name: (seq, hit, found.query) for hit in found.hits})
            case Loaded(seq=seq, names=names):
                self.loads.update(dict.fromkeys(names, seq))
        if call := call_of(step):
            self.calls.setdefault(call.tool, []).append((step.seq, call))

    def cell(self, name: str) -> Cell:
        turn = self.offered.turn
        seq, hit, query = self.hits.get(name, (0, None, ""))
        rank, cut_by = (hit.rank, hit.cut_by) if hit else (0, "")
        if calls := self.calls.get(name):
            last, call = calls[-1]
            return Cell(turn, CALLED.get(call.state, "failed"), last, rank, query, cut_by, len(calls))
        if name in self.loads:
            return Cell(turn, "loaded", self.loads[name], rank, query)
        if hit:
            return Cell(turn, "hit", seq, rank, query, cut_by)
        if name in self.dropped:
            return Cell(turn, "dropped", self.offered.seq)
        return Cell(turn, "visible" if name in self.in_view else "hidden")


def toolset_of(state: RunState) -> Toolset:
    turns = tuple(_turns(state.steps))
    pegs = {peg.name: peg for peg in state.board.pegs()}
    seen = dict.fromkeys(name for turn in turns for name in turn.offered.added)
    rows = [_row(name, pegs.get(name), turns) for name in seen]
    upfront = [row for row in rows if row.cause != "loaded"]
    found = [row for row in rows if row.cause == "loaded"]
    never = [_unseen(name, server, turns) for name, server in _met(turns).items() if name not in seen]
    columns = tuple(_column(turn.offered) for turn in turns)
    return Toolset(columns, (*_groups("upfront", upfront), *_groups("found", found)), tuple(_groups("never", never)))


def _turns(steps: Iterable[Step]) -> Iterator[_Turn]:
    """Each with all that its calls did: what comes before the first offer is none's."""
    now: _Turn | None = None
    for step in steps:
        if isinstance(step, Offered):
            if now:
                yield now
            before = now.in_view if now else frozenset[str]()
            removed = frozenset(step.removed)
            now = _Turn(step, (before - removed) | frozenset(step.added), removed)
        elif now:
            now.take(step)
    if now:
        yield now


def _met(turns: Iterable[_Turn]) -> dict[str, str]:
    """The tools that were found or called, with their servers."""
    met: dict[str, str] = {}
    for turn in turns:
        met.update({name: hit.server for name, (_, hit, _) in turn.hits.items()})
        for name, calls in turn.calls.items():
            met.setdefault(name, calls[-1][1].server)
    return met


def _column(offered: Offered) -> Column:
    sizes = (offered.in_view, offered.tokens, offered.message_tokens)
    broke = offered.prefix.broke if offered.prefix else ""
    return Column(offered.turn, offered.seq, *sizes, offered.prefix_kept, broke)


def _row(name: str, peg: Peg | None, turns: Iterable[_Turn]) -> ToolRow:
    cells = tuple(turn.cell(name) for turn in turns)
    return ToolRow(name, peg.server, peg.cause, peg.tokens, cells) if peg else ToolRow(name, "", "loaded", None, cells)


def _unseen(name: str, server: str, turns: Iterable[_Turn]) -> ToolRow:
    return ToolRow(name, server, "", None, tuple(turn.cell(name) for turn in turns))


def _groups(part: Part, rows: Sequence[ToolRow]) -> Iterator[RowGroup]:
    """By server, each where its first tool came."""
    for server in dict.fromkeys(row.server for row in rows):
        yield RowGroup(part, server, tuple(row for row in rows if row.server == server))
