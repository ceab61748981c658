"""A lane as it stands: its run's state, and the figures by which lanes are compared."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from playground.agent.events import Outcome
from playground.runs.aligning import align
from playground.runs.outline import Call
from playground.runs.state import Recorded, RunState, state_of
from playground.runs.steps import Called, Said, call_of


@dataclass(frozen=True, slots=True)
class Lane:
    """`place` counts from 1; `last_at` is when the last event of the state was recorded, None before the first."""

    place: int
    run_id: UUID
    state: RunState = field(default_factory=RunState)
    last_at: datetime | None = None

    def after(self, events: Sequence[Recorded]) -> "Lane":
        if not events:
            return self
        return replace(self, state=state_of(events, self.state), last_at=events[-1].at)

    @property
    def is_over(self) -> bool:
        return self.state.summary.is_over

    @property
    def answer(self) -> str:
        """The last words of a run that completed, else nothing."""
        if self.state.summary.status != "completed":
            return ""
        return next((step.text for step in reversed(self.state.steps) if isinstance(step, Said)), "")

    @property
    def seconds(self) -> float | None:
        """From the first event to the last so far."""
        return self.state.at(self.last_at) if self.last_at else None


@dataclass(frozen=True, slots=True)
class Figures:
    """What a lane came to so far. `tokens` are those of all its prompts, tools and messages, as estimated.

    `cost` is in dollars, None where no price is known. `ok` and `failed` count calls of the catalog's tools that were
    answered; one that was refused failed. Of the `expected` calls, `met` were made and went well.
    """

    status: Literal["waiting", "running"] | Outcome
    turns: int
    tokens: int
    cost: float | None
    is_free: bool
    seconds: float | None
    ok: int
    failed: int
    met: int
    expected: int

    @property
    def is_success(self) -> bool:
        return self.status == "completed" and self.met == self.expected


def figures_of(lane: Lane, expected: Sequence[Call]) -> Figures:
    summary, calls = lane.state.summary, list(tool_calls(lane.state))
    ok = [call for call in calls if call.state == "ok"]
    made = [Call(call.tool, call.arguments) for call in ok]
    aligned = align(expected, made)
    return Figures(
        status=summary.status,
        turns=summary.turn,
        tokens=sum(turn.tokens + turn.messages for turn in lane.state.meter.turns),
        cost=(summary.cost or 0.0) if not summary.answers else summary.cost,
        is_free=summary.is_free,
        seconds=summary.seconds if lane.is_over else lane.seconds,
        ok=len(ok),
        failed=sum(call.state in ("failed", "refused") for call in calls),
        met=sum(row.expected is not None and row.verdict in ("as expected", "out of order") for row in aligned),
        expected=len(expected),
    )


def tool_calls(state: RunState) -> Iterator[Called]:
    """Those of the catalog's tools."""
    called = (call_of(step) for step in state.steps)
    return (call for call in called if call and not call.meta)


def lane_at(place: int, run_id: UUID, events: Iterable[Recorded]) -> Lane:
    return Lane(place, run_id).after(list(events))
