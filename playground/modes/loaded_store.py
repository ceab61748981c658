"""Mastra's in-memory store: what each thread has loaded, forgotten when nobody came for a while (M-26, M-27)."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol, runtime_checkable

DEFAULT_THREAD = "default"
"""The thread of requests that name none: all of them share it."""
TTL = 3_600.0
"""Seconds without a visit after which a thread is forgotten."""
SHORTEST_INTERVAL = 60.0
"""Seconds between two sweeps, at least."""


@runtime_checkable
class KeepsLoaded(Protocol):
    """Options of a mode that may keep what is loaded in a store, and not in the messages."""

    @property
    def in_memory(self) -> bool:
        """Whether it does."""
        ...

    @property
    def ttl(self) -> float:
        """Of the store, in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class StateStats:
    """`oldest_access` is in seconds of the store's clock; None where there is no thread."""

    threads: int
    oldest_access: float | None


@dataclass(slots=True)
class _Entry:
    touched: float
    names: dict[str, None] = field(default_factory=dict)


class LoadedStore:
    """Names by thread, in the order loaded. Lives in one process and is lost with it.

    An overdue thread goes only when a sweep runs; a visit before that renews it. Sweeps are due at every interval since
    the store was made, and the last one that is due is made up for at the next visit, which comes to the same.
    """

    def __init__(self, ttl: float = TTL, clock: Callable[[], float] = time.monotonic) -> None:
        """`ttl` in seconds; with 0 nothing is ever forgotten."""
        self._ttl, self._clock = ttl, clock
        self._interval = max(ttl / 2, SHORTEST_INTERVAL)
        self._swept = clock()
        self._threads: dict[str, _Entry] = {}
        self._lock = Lock()

    def visit(self, thread: str) -> tuple[str, ...]:
        """What the thread has loaded; from now on it counts as visited."""
        with self._lock:
            return tuple(self._entry(thread).names)

    def held(self, thread: str) -> tuple[str, ...]:
        """What the thread has loaded, told to someone who only looks: it does not count as visited."""
        with self._lock:
            self._make_up()
            entry = self._threads.get(thread or DEFAULT_THREAD)
            return tuple(entry.names) if entry else ()

    def add(self, thread: str, names: Iterable[str]) -> None:
        with self._lock:
            self._entry(thread).names.update(dict.fromkeys(names))

    def clear(self, thread: str = DEFAULT_THREAD) -> None:
        """Forget one thread (clearState)."""
        with self._lock:
            self._threads.pop(thread, None)

    def clear_all(self) -> None:
        """Forget every thread (clearAllState)."""
        with self._lock:
            self._threads.clear()

    def stats(self) -> StateStats:
        """How many threads there are (getStateStats)."""
        with self._lock:
            self._make_up()
            return StateStats(
                len(self._threads), min((entry.touched for entry in self._threads.values()), default=None)
            )

    def seconds_since(self, moment: float) -> float:
        """Seconds from a moment of the store's clock until now."""
        return self._clock() - moment

    def clean_up(self) -> int:
        """Sweep now; how many threads were forgotten (cleanupNow)."""
        with self._lock:
            self._make_up()
            return self._sweep(self._clock())

    def _entry(self, thread: str) -> _Entry:
        self._make_up()
        entry = self._threads.setdefault(thread or DEFAULT_THREAD, _Entry(0.0))
        entry.touched = self._clock()
        return entry

    def _make_up(self) -> None:
        due = (self._clock() - self._swept) // self._interval
        if due:
            self._swept += due * self._interval
            self._sweep(self._swept)

    def _sweep(self, now: float) -> int:
        overdue = [name for name, entry in self._threads.items() if self._ttl and now - entry.touched > self._ttl]
        for name in overdue:
            del self._threads[name]
        return len(overdue)
