"""One finding of a run: what a rule says, of which step and tools, and the numbers that it rests on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

from playground.reviewing.evidence import Evidence
from playground.reviewing.right_tools import Right, Rights
from playground.reviewing.steps import Search


@dataclass(frozen=True, slots=True)
class Finding:
    """`seq` is the event that made the step; `tools` are names as the model called them.

    Findings of one rule are told together by what they are `about`: the words of their search, unless a rule says otherwise.
    `search` is the search that it is about, `right` what should have been found and how that is known, each where there is
    one. `rank` is the right tool's, `gap` what its score lacked to the last one returned; `tokens` are estimated.
    """

    rule: str
    seq: int
    sentence: str
    tools: tuple[str, ...] = ()
    search: Search | None = None
    right: Right | None = None
    rank: int | None = None
    gap: float | None = None
    tokens: int | None = None
    about: str = ""

    @property
    def subject(self) -> str:
        return self.about or (self.search.words if self.search else "")


class Rule(Protocol):
    """`harm`: a finding means that the search did not do what it was for."""

    slug: ClassVar[str]
    title: ClassVar[str]
    harm: ClassVar[bool]

    def look(self, run: Evidence, rights: Rights) -> Iterator[Finding]: ...


MOST_NAMED = 50
"""Tools that a finding names; the others are counted in its sentence."""


def clipped(text: str, most: int = 160) -> str:
    """One line of what somebody else wrote."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def named(names: tuple[str, ...], most: int = 3) -> str:
    """The first of the names, and how many more there are."""
    said = ", ".join(names[:most])
    return f"{said} and {len(names) - most} more" if len(names) > most else said
