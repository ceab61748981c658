"""A run as rows on one scale of time: turns, model calls and all that came of them, read off its state."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from playground.runs.state import RunState
from playground.runs.steps import Called, Ended, Loaded, Offered, Retried, Said, Searched, Step

LENGTHS = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1_200, 1_800, 3_600)
"""Seconds that a scale can have: it stays the same while a run goes on, until that has outgrown it."""


@dataclass(frozen=True, slots=True)
class TraceRow:
    """`start` and `seconds` are where its bar lies, None where they are not known or nothing took time.

    `kind` is that of its step, but "turn" and "model" of an offer. `key` names it on a page. `scale` is the length of the
    whole scale in seconds. `step` holds what the row tells of.
    """

    key: str
    kind: str
    depth: int
    step: Step
    start: float | None
    seconds: float | None
    scale: float
    said: Said | None = None
    """What the model said in the call that the row is of."""

    @property
    def is_problem(self) -> bool:
        match self.step:
            case Called(state=state):
                return state in ("failed", "refused", "unknown", "not sent")
            case Searched(found=found):
                return bool(found.problem)
            case Ended(outcome=outcome):
                return outcome != "completed"
        return self.kind in ("retried", "denied")


@dataclass(frozen=True, slots=True)
class Trace:
    """`scale` is None where nothing says when anything was."""

    rows: tuple[TraceRow, ...]
    scale: float | None

    @property
    def ticks(self) -> tuple[float, ...]:
        """Seconds, at the quarters of the scale."""
        return tuple(self.scale * part / 4 for part in range(5)) if self.scale else ()

    def __iter__(self) -> Iterator[TraceRow]:
        return iter(self.rows)


def trace_of(state: RunState) -> Trace:
    ends = [end for step in state.steps if (end := _end(step)) is not None]
    scale = _length(max(ends)) if ends else None
    return Trace(tuple(_rows(state.steps, state.summary.seconds, scale or 0.0)), scale)


def _rows(steps: tuple[Step, ...], ended: float | None, scale: float) -> Iterator[TraceRow]:
    starts = [step.at for step in steps if isinstance(step, Offered)]
    nexts = iter([*starts[1:], ended])
    said = _said(steps)
    in_turn = False
    for step in steps:
        match step:
            case Offered():
                in_turn = True
                yield TraceRow(f"e{step.seq}", "turn", 0, step, step.at, _between(step.at, next(nexts)), scale)
                told = said.get(step.turn)
                yield TraceRow(f"e{step.seq}-model", "model", 1, step, step.at, step.seconds, scale, told)
            case Said():
                continue
            case _:
                depth = 1 if in_turn and not isinstance(step, Ended) else 0
                yield TraceRow(f"e{step.seq}", step.kind, depth, step, step.at, _seconds(step), scale)


def _said(steps: Iterable[Step]) -> dict[int, Said]:
    """The last text of each turn, once it is whole or cut off; what was cut off before it was not the answer."""
    return {step.turn: step for step in steps if isinstance(step, Said) and step.state != "open"}


def _seconds(step: Step) -> float | None:
    match step:
        case Called(seconds=seconds):
            return seconds
        case Searched(call=call) | Loaded(call=call) if call.seq == step.seq:
            return call.seconds
        case Retried(wait=wait):
            return wait
    return None


def _end(step: Step) -> float | None:
    if step.at is None:
        return None
    seconds = step.seconds if isinstance(step, Offered) else _seconds(step)
    return step.at + (seconds or 0.0)


def _between(start: float | None, end: float | None) -> float | None:
    return None if start is None or end is None else round(max(end - start, 0.0), 3)


def _length(seconds: float) -> float:
    return next((length for length in LENGTHS if seconds <= length), float(-(-seconds // 3_600) * 3_600))
