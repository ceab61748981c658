"""Telling what the policy kept back, once: in the offer, in an answer, at a call."""

from collections.abc import Iterator, Sequence

from catalog.policy import Denial
from playground.agent.events import ToolsDenied

MOST_DENIALS = 50
"""Denials of one event that are recorded."""


def tell_denials(turn: int, call_id: str, denials: Sequence[Denial]) -> Iterator[ToolsDenied]:
    if denials:
        yield ToolsDenied(turn, call_id, tuple(denials[:MOST_DENIALS]), len(denials))


def refused_call(denial: Denial) -> str:
    """What a model is told of its call; the reason is the curator's affair."""
    return f"The tool {denial.tool} may not be called here, so it was not called."
