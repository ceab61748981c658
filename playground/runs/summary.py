"""What a run is made of, and how it stands: the head of its page."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from playground.agent.events import ModelAnswered, Outcome

Activity = Literal["", "asking", "answering", "calling", "waiting", "person"]
"""What an unfinished run is at: asking the model, taking in its answer, calling tools, waiting to ask again,
or waiting for a person."""


@dataclass(frozen=True, slots=True)
class About:
    """What the run is made of; empty until it has begun. `unknown` names what the log of an imported run does not have."""

    task: str = ""
    catalog: str = ""
    mode: str = ""
    engine: str = ""
    model: str = ""
    scripted: bool = False
    context: dict[str, Any] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """How the run stands. `waits` counts the calls that wait for a person. `seconds` is known once it ended.

    Tokens are the provider's, None where it gave none.

    `cost` is in dollars, None where the price of an answer is not known; `cost_all` estimates what the same answers would
    have cost with every tool of the catalog in each prompt.
    """

    status: Literal["waiting", "running"] | Outcome = "waiting"
    reason: str = ""
    activity: Activity = ""
    waits: int = 0
    turn: int = 0
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    reasoning_tokens: int | None = None
    answers: int = 0
    is_free: bool = False
    cost: float | None = None
    cost_all: float | None = None

    @property
    def is_over(self) -> bool:
        return self.status not in ("waiting", "running")

    @property
    def has_no_price(self) -> bool:
        return bool(self.answers) and self.cost is None and not self.is_free

    def after_hold(self) -> "Summary":
        return replace(self, activity="person", waits=self.waits + 1)

    def after_decision(self) -> "Summary":
        waits = max(0, self.waits - 1)
        return replace(self, activity="person" if waits else "calling", waits=waits)

    def after_answer(self, answer: ModelAnswered) -> "Summary":
        first = not self.answers
        return replace(
            self,
            prompt_tokens=_sum(self.prompt_tokens, answer.prompt_tokens),
            completion_tokens=_sum(self.completion_tokens, answer.completion_tokens),
            cached_tokens=_sum(self.cached_tokens, answer.cached_tokens),
            written_tokens=_sum(self.written_tokens, answer.written_tokens),
            reasoning_tokens=_sum(self.reasoning_tokens, answer.reasoning_tokens),
            answers=self.answers + 1,
            cost=_sum_of_known(0.0 if first else self.cost, answer.cost),
            cost_all=_sum_of_known(0.0 if first else self.cost_all, answer.cost_all),
        )


def _sum(sofar: int | None, more: int | None) -> int | None:
    return sofar if more is None else (sofar or 0) + more


def _sum_of_known(sofar: float | None, more: float | None) -> float | None:
    """None as soon as one is not known."""
    return None if sofar is None or more is None else sofar + more
