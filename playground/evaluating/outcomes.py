"""How one trial ended: whether the calls that its task takes were made and went well, and what it took."""

from collections.abc import Sequence
from dataclasses import dataclass

from playground.runs.lane_state import Lane, figures_of, tool_calls


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is the run's. Of the calls that went well `extra` were for no need. `cost` is in dollars, None where no price is known.

    `tokens` are those of all prompts, estimated.
    """

    status: str
    met: int
    needs: int
    extra: int
    turns: int
    tokens: int
    cost: float | None
    seconds: float

    @property
    def is_success(self) -> bool:
        return self.status == "completed" and self.met == self.needs


def outcome_of(lane: Lane, needs: Sequence[Sequence[str]]) -> Outcome:
    figures = figures_of(lane, ())
    made = [call.tool for call in tool_calls(lane.state) if call.state == "ok"]
    met = needs_met(needs, made)
    return Outcome(
        status=figures.status,
        met=met,
        needs=len(needs),
        extra=len(made) - met,
        turns=figures.turns,
        tokens=figures.tokens,
        cost=0.0 if figures.is_free else figures.cost,
        seconds=figures.seconds or 0.0,
    )


def needs_met(needs: Sequence[Sequence[str]], made: Sequence[str]) -> int:
    """As many needs as can have a call of their own, in any order (augmenting paths: Kuhn 1955)."""
    taken: dict[int, int] = {}

    def can_have(need: int, tried: set[int]) -> bool:
        for call, tool in enumerate(made):
            if tool in needs[need] and call not in tried:
                tried.add(call)
                if call not in taken or can_have(taken[call], tried):
                    taken[call] = need
                    return True
        return False

    return sum(can_have(need, set()) for need in range(len(needs)))
