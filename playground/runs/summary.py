"""What a run is made of, and how it stands: the head of its page."""

from dataclasses import dataclass, field
from typing import Any, Literal

from playground.agent.events import Outcome

Activity = Literal["", "asking", "answering", "calling", "waiting"]
"""What an unfinished run is at: asking the model, taking in its answer, calling tools, waiting to ask again."""


@dataclass(frozen=True, slots=True)
class About:
    """What the run is made of; empty until it has begun."""

    task: str = ""
    catalog: str = ""
    mode: str = ""
    engine: str = ""
    model: str = ""
    scripted: bool = False
    context: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Summary:
    """How the run stands. `seconds` is known once it ended; tokens are the provider's, None where it gave none."""

    status: Literal["waiting", "running"] | Outcome = "waiting"
    reason: str = ""
    activity: Activity = ""
    turn: int = 0
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def is_over(self) -> bool:
        return self.status not in ("waiting", "running")
