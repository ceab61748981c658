"""What one run may use up, and when that is used up."""

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    turns: int = 25
    calls: int = 50
    """Calls in the whole run, meta-tools included."""
    tokens: int = 1_000_000
    """Tokens of prompts and answers in the whole run: the provider's figures, estimates where it gives none."""
    seconds: float = 600.0
    dollars: float | None = None
    """What the answers may cost, if that matters: then a model whose prices are not known cannot go on."""
    calls_per_answer: int = 16
    answer_characters: int = 2_000_000
    tool_seconds: float = 60.0
    attempts: int = 3
    """Tries of one model call that the endpoint refuses for the moment."""
    backoff: float = 1.0
    """Seconds before the second try where the endpoint names no time; doubled for the third; jittered."""
    longest_wait: float = 60.0
    """Seconds that an endpoint may ask to wait."""
    broken_answers: int = 2
    """Answers in a row with broken arguments that the model is told of; one more ends the run."""


class LimitReached(Exception):
    """The message says which, as a sentence."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment (of `time.monotonic`) at which a run has used up its time."""

    at: float
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        return cls(time.monotonic() + seconds, seconds)

    @property
    def left(self) -> float:
        return max(0.0, self.at - time.monotonic())

    def passed(self) -> LimitReached:
        """The exception to raise once it has passed."""
        return LimitReached(f"The run took longer than {self.seconds:,g} seconds.")
