"""One finding: what a rule says of a tool, where it stands, and the numbers and texts that it rests on."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """A number or text of the evidence, with what it is."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """`tool` and `other` are keys (`server/name`); `other` is empty where the rule speaks of one tool.

    `where` is the path of the text in the definition ('description', 'parameters.properties.city'), `start` and `end` count
    characters of that text. `only_here` and `only_there` are the words that each of two tools has and the other lacks.
    `rests_on` changes with the texts that the finding rests on, and with nothing else.
    """

    rule: str
    tool: str
    where: str
    sentence: str
    advice: str
    facts: tuple[Fact, ...]
    rests_on: str
    start: int = 0
    end: int = 0
    other: str = ""
    only_here: tuple[str, ...] = ()
    only_there: tuple[str, ...] = ()


def digest(*texts: str) -> str:
    """A short text that changes with any of the texts."""
    parts = (text.encode("utf-8", "backslashreplace") for text in texts)
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]
