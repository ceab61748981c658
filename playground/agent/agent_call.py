"""Which run a call of an agent is to be: the loop records it, then tells whatever runs the call."""

from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID

from playground.agent.limits import Deadline


@dataclass(frozen=True, slots=True)
class AgentCall:
    """`nested` is the id that the call's own run is to have; `deadline` stands still while that waits for a person."""

    call_id: str
    nested: UUID
    deadline: Deadline


AGENT_CALL: ContextVar[AgentCall] = ContextVar("agent_call")
"""Set in the task of each call of an agent, and nowhere else."""
