"""The models that may write a description anew. The catalog knows none by itself; who keeps chat models says them at the start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class WritingFailedError(Exception):
    """No answer could be had; the message is a redacted sentence."""


@dataclass(frozen=True, slots=True)
class Writer:
    """`ask` takes what the model is to do and what it is to do it with, and gives its answer whole. Raises WritingFailedError."""

    number: int
    title: str
    ask: Callable[[str, str], str]


def _none() -> Sequence[Writer]:
    return ()


@dataclass
class Sources:
    writers: Callable[[], Sequence[Writer]] = _none


sources = Sources()


def writer_numbered(number: str) -> Writer | None:
    """The one of that number, else the first."""
    found = sources.writers()
    return next((one for one in found if str(one.number) == number), found[0] if found else None)
