"""How long a replay at the recorded pace stays at each moment: as long as the run did, with long waits shortened."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from playground.runs.replay import Moment
from playground.runs.state import Recorded

LONGEST = 4.0
"""Seconds that a replay waits at most, where the run waited longer."""
SHORTEST = 0.25
"""Seconds that each moment can be seen at least."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds from one moment to the next: as `recorded`, and as `played`."""

    recorded: float
    played: float

    @property
    def is_shortened(self) -> bool:
        return self.played < self.recorded


NO_WAIT = Wait(0.0, SHORTEST)


def waits(found: Sequence[Moment], events: Iterable[Recorded]) -> tuple[Wait, ...]:
    """One for each moment, until the next; nothing is waited for after the last."""
    times = {recorded.seq: recorded.at for recorded in events}
    gaps = [(times[after.seq] - times[before.seq]).total_seconds() for before, after in pairwise(found)]
    return (*map(_wait, gaps), NO_WAIT) if found else ()


def _wait(recorded: float) -> Wait:
    return Wait(round(recorded, 2), round(min(max(recorded, SHORTEST), LONGEST), 2))
