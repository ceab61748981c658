"""One name space out of several: names for the tools of many servers that are kept as one."""

import hashlib
import re
from collections.abc import Iterable

MAX_LENGTH = 64
"""What every model endpoint takes as a function name."""
_ODD = re.compile(r"[^A-Za-z0-9_-]+")
_HASH_LENGTH = 8


def unique_names(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """`server__tool` for each (server, tool) pair, in order; longer or repeated ones end in a hash of the pair instead.

    A pair gets the same name in every listing in which no other pair claims it. Pairs must differ.
    """
    names: list[str] = []
    taken: set[str] = set()
    for group, name in pairs:
        chosen = _joined(group, name)
        if len(chosen) > MAX_LENGTH or chosen in taken:
            chosen = f"{chosen[: MAX_LENGTH - _HASH_LENGTH - 1]}_{_hash(group, name)}"
        taken.add(chosen)
        names.append(chosen)
    return names


def _joined(group: str, name: str) -> str:
    """A long server name gives way, so that the tool's own name stays whole as long as it can."""
    prefix = _ODD.sub("_", group).strip("_")
    room = MAX_LENGTH - len(name) - 2 - _HASH_LENGTH - 1
    if len(prefix) + 2 + len(name) > MAX_LENGTH and room >= _HASH_LENGTH:
        return f"{prefix[:room]}_{_hash(group, '')}__{name}"
    return f"{prefix}__{name}" if prefix else name


def _hash(group: str, name: str) -> str:
    return hashlib.sha256(f"{group}\0{name}".encode()).hexdigest()[:_HASH_LENGTH]
