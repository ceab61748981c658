"""The board of a run told once for all its slides: each of the catalog's tools with what becomes of it from slide to slide."""

from collections.abc import Sequence
from dataclasses import dataclass

from playground.agent.events import Cause
from playground.runs.board import Board, Peg, PegState

MOST_PEGS = 60
"""Pegs that a wall has room for."""
PegChange = tuple[int, PegState]
"""The number of a slide, and what the peg is from it on."""


@dataclass(frozen=True, slots=True)
class DeckPeg:
    """It hangs from the slide of its first change on."""

    name: str
    server: str
    cause: Cause
    changes: tuple[PegChange, ...]

    @property
    def stays_as_it_was(self) -> bool:
        return self.cause != "loaded" and len(self.changes) == 1

    def state_at(self, number: int) -> PegState | None:
        """None before it hangs."""
        return next((state for since, state in reversed(self.changes) if since <= number), None)


@dataclass(frozen=True, slots=True)
class DeckBoard:
    """`more` tools are in view from the start, are never called, and find no room."""

    pegs: tuple[DeckPeg, ...] = ()
    more: int = 0


def board_of(boards: Sequence[Board]) -> DeckBoard:
    """From the board of each slide, in order."""
    first: dict[str, Peg] = {}
    changes: dict[str, list[PegChange]] = {}
    for number, board in enumerate(boards, start=1):
        for peg in (peg for peg in board.pegs() if peg.cause != "meta-tool"):
            first.setdefault(peg.name, peg)
            known = changes.setdefault(peg.name, [])
            if not known or known[-1][1] != peg.state:
                known.append((number, peg.state))
    pegs = [DeckPeg(name, peg.server, peg.cause, tuple(changes[name])) for name, peg in first.items()]
    idle = [peg.name for peg in pegs if peg.stays_as_it_was]
    left_out = set(idle[::-1][: max(0, len(pegs) - MOST_PEGS)])
    return DeckBoard(tuple(peg for peg in pegs if peg.name not in left_out), len(left_out))
