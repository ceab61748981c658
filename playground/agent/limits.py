"""What one run may use up, and when that is used up."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
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


class Deadline:
    """The moment at which a run has used up its time. It stands still while a person is waited for, and with it those `above`."""

    def __init__(self, seconds: float, above: "Deadline | None" = None) -> None:
        self._seconds = seconds
        self._above = above
        self._at = time.monotonic() + seconds
        self._stood_at: float | None = None
        self._waits = 0
        self._bounds: set[asyncio.Timeout] = set()

    @property
    def left(self) -> float:
        """In seconds."""
        now = time.monotonic() if self._stood_at is None else self._stood_at
        return max(0.0, self._at - now)

    def passed(self) -> LimitReached:
        """The exception to raise once it has passed."""
        return LimitReached(f"The run took longer than {self._seconds:,g} seconds.")

    @contextmanager
    def standing(self) -> Generator[None, None, None]:
        """A person is waited for within; of several waits at once the last one ends it."""
        with self._above.standing() if self._above else nullcontext():
            self._waits += 1
            if self._waits == 1:
                self._stood_at = time.monotonic()
                self._bind()
            try:
                yield
            finally:
                self._waits -= 1
                if not self._waits:
                    self._go_on()

    @asynccontextmanager
    async def bound(self) -> AsyncGenerator[asyncio.Timeout, None]:
        """Raises TimeoutError once it has passed; while it stands, nothing within is hurried."""
        async with asyncio.timeout(None if self._waits else self.left) as bound:
            self._bounds.add(bound)
            try:
                yield bound
            finally:
                self._bounds.discard(bound)

    def _go_on(self) -> None:
        if self._stood_at is not None:
            self._at += time.monotonic() - self._stood_at
        self._stood_at = None
        self._bind()

    def _bind(self) -> None:
        when = None if self._waits else asyncio.get_running_loop().time() + self.left
        for bound in self._bounds:
            if not bound.expired():
                bound.reschedule(when)
