"""One request to a model's provider and what came back, as they were on the wire. Headers, which hold keys, are no part of it."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_SENT = 8_000_000
MOST_RECEIVED = 2_000_000
"""Bytes of a request, and of what came back, that are kept."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """`address` has neither query nor sign-in, and is empty where nothing went out, as to the demo model; `status` is 0 then.

    `sent` is empty where the request was larger than what is kept. `received` is what came, as far as it came and is kept;
    the sizes count all of it. `seconds` are from the request to the end of what came.
    """

    address: str
    sent: bytes
    sent_size: int
    status: int
    received: bytes
    received_size: int
    seconds: float


Keep = Callable[[Exchange], None]
"""Takes an exchange in, on the event loop, without waiting for anything."""


def keep_nothing(exchange: Exchange) -> None:
    """For where nobody asks what went over the wire."""
