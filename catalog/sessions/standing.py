"""How it stands with a server's sessions, for its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from catalog.sessions.kept import KeptSession


@dataclass(frozen=True, slots=True)
class Standing:
    """`closes_in` is in seconds, and there only where no run uses the server; `runs` and `calls` count what is under way."""

    state: Literal["not started", "starting", "warm"]
    sessions: int = 0
    runs: int = 0
    calls: int = 0
    closes_in: float | None = None


NOT_STARTED = Standing("not started")


def standing_of(kept: Sequence[KeptSession], now: float, idle_seconds: float) -> Standing:
    if not kept:
        return NOT_STARTED
    runs = len(set[str]().union(*(list(session.users) for session in kept)))
    calls = sum(session.calls for session in kept)
    is_warm = any(session.opened_at is not None for session in kept)
    idle_since = max(session.last_used for session in kept)
    closes_in = None if runs or calls else max(0.0, idle_since + idle_seconds - now)
    return Standing("warm" if is_warm else "starting", len(kept), runs, calls, closes_in)
