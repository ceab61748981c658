"""The texts that are streamed: each holds its number and the time at which it was given to the recorder."""

import re
import time
from dataclasses import dataclass, field

_TOKEN = re.compile(r"\b(\d+)@(\d+\.\d+);")
_PART = re.compile(r'hx-swap-oob="(beforeend|true)')


class WrongError(Exception):
    """A watcher was told something twice, or was not told something; what is said is its number."""


def token(number: int) -> str:
    return f"{number}@{time.time():.4f}; "


@dataclass(slots=True)
class Told:
    """What one watcher has of a run's texts, and how many seconds after it was given each came."""

    last: int = 0
    delays: list[float] = field(default_factory=list)

    def take(self, frame: str) -> None:
        """What a page would show after this frame. Raises WrongError."""
        now = time.time()
        _, *parts = _PART.split(frame)
        for way, part in zip(parts[::2], parts[1::2], strict=True):
            numbers = [(int(number), float(at)) for number, at in _TOKEN.findall(part)]
            first = self.last + 1 if way == "beforeend" else 1
            if numbers and [number for number, _ in numbers] != list(range(first, first + len(numbers))):
                raise WrongError(f"{self.last} were told, then {numbers[0][0]} to {numbers[-1][0]}")
            self.delays += [now - at for number, at in numbers if number > self.last]
            self.last = max(self.last, numbers[-1][0]) if numbers else self.last
