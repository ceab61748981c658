"""What stands against a threat, as text that can be taken out, and the tests that have to notice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = "tests/product/threats/"


@dataclass(frozen=True, slots=True)
class Cut:
    """A place of a file, by its path from the root of the tree: what stands there, once, and what stands there without it."""

    file: str
    text: str
    instead: str = ""

    def __post_init__(self) -> None:
        if not self.text or self.text == self.instead:
            raise ValueError(f"nothing is taken out of {self.file}")


@dataclass(frozen=True, slots=True)
class Defence:
    """One of those against `threat`, in words; several `cuts` where only together they matter.

    `shown_by` are tests as pytest takes them, `file::function`, each of which has to fail without it.
    """

    threat: str
    what: str
    cuts: tuple[Cut, ...]
    shown_by: tuple[str, ...]

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(cut.file for cut in self.cuts))


def misplaced(defences: Iterable[Defence], root: Path) -> Iterator[str]:
    """A sentence for each text that does not stand in its file exactly once, with the file and the text."""
    for defence in defences:
        for cut in defence.cuts:
            path = root / cut.file
            found = path.read_text().count(cut.text) if path.is_file() else 0
            if found != 1:
                yield f"{defence.threat}: {cut.file} has this {found} times instead of once:\n    {cut.text.strip()}"
