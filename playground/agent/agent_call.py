"""Which run a call of an agent is to be: the loop records it, then tells whatever runs the call."""

from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AgentCall:
    """`nested` is the id that the call's own run is to have."""

    call_id: str
    nested: UUID


AGENT_CALL: ContextVar[AgentCall] = ContextVar("agent_call")
"""Set in the task of each call of an agent, and nowhere else."""
