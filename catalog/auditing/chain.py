"""The chain that audit entries form: each holds the hash of the one before it, so that none can be changed or taken out unnoticed."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

START = "0" * 64
"""What the very first entry holds as the hash before it."""
Said = tuple[str | int | None, ...]
"""What an entry says, in a fixed order."""


@dataclass(frozen=True, slots=True)
class Link:
    """An entry as it is kept: its number in the chain from 1, what it says, the hash before it, and its own."""

    number: int
    said: Said
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first entry that does not fit, and why, as a sentence."""

    number: int
    reason: str


def hash_of(number: int, said: Said, previous: str) -> str:
    """SHA-256, in hexadecimal digits, of all that an entry says, its number, and the hash before it."""
    return sha256(json.dumps([number, previous, *said]).encode()).hexdigest()


def first_misfit(links: Iterable[Link], number: int = 0, last: str = START) -> Misfit | None:
    """The first entry that does not fit behind the one of this `number` and hash; the entries come in order."""
    for link in links:
        expected = number + 1
        if link.number != expected:
            return Misfit(expected, f"Entry {expected} is missing: entry {link.number} comes in its place.")
        if link.previous != last:
            return Misfit(expected, f"Entry {expected} does not hold the hash of the entry before it.")
        if link.hash != hash_of(link.number, link.said, link.previous):
            return Misfit(expected, f"Entry {expected} was changed: its hash is not that of what it says.")
        number, last = link.number, link.hash
    return None
