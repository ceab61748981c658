"""Three texts made one, word by word: what the source changed and what a person changed, over what both began from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from catalog.text_pieces import pieces_of

MAX_WORDS = 4_000
"""Above this, texts that all differ are one conflict: comparing takes time in the square of their number."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Text that needs no decision; `by` says who changed it: nobody, the source, a person, or both alike."""

    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that both changed, each otherwise."""

    base: str
    theirs: str
    ours: str


@dataclass(frozen=True, slots=True)
class Merge:
    parts: tuple[Settled | Conflict, ...]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        return tuple(part for part in self.parts if isinstance(part, Conflict))

    @property
    def text(self) -> str:
        """The merged text; a person's words stand where both changed."""
        return "".join(part.ours if isinstance(part, Conflict) else part.text for part in self.parts)


def merge(base: str, theirs: str, ours: str) -> Merge:
    """Base is what both began from, theirs the source's text now, ours the person's."""
    words = [pieces_of(text) for text in (base, theirs, ours)]
    if ours in (base, theirs) or theirs == base or max(map(len, words)) > MAX_WORDS:
        return Merge(tuple(_part(base, theirs, ours)))
    return Merge(tuple(_joined(_merged(*words))))


def _merged(base: Sequence[str], theirs: Sequence[str], ours: Sequence[str]) -> Iterator[Settled | Conflict]:
    """Between two words that all three share, what each has there."""
    start = (0, 0, 0)
    for here in _shared(base, theirs, ours):
        yield from _part(*("".join(text[a:b]) for text, a, b in zip((base, theirs, ours), start, here, strict=True)))
        if here[0] < len(base):
            yield Settled(base[here[0]])
        start = (here[0] + 1, here[1] + 1, here[2] + 1)


def _shared(base: Sequence[str], theirs: Sequence[str], ours: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The places of each word of the base that both others kept, and, last, the three ends."""
    in_theirs, in_ours = _kept(base, theirs), _kept(base, ours)
    for place in range(len(base)):
        if place in in_theirs and place in in_ours:
            yield place, in_theirs[place], in_ours[place]
    yield len(base), len(theirs), len(ours)


def _kept(base: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return {a + n: b + n for a, b, size in blocks for n in range(size)}


def _part(base: str, theirs: str, ours: str) -> Iterator[Settled | Conflict]:
    if base == theirs == ours:
        by = ""
    elif theirs == ours:
        by = "both"
    elif ours == base:
        by = "source"
    elif theirs == base:
        by = "person"
    else:
        yield Conflict(base, theirs, ours)
        return
    text = theirs if by == "source" else ours
    if text:
        yield Settled(text, by)


def _joined(parts: Iterator[Settled | Conflict]) -> Iterator[Settled | Conflict]:
    """Neighbours by the same hand as one part."""
    last: Settled | None = None
    for part in parts:
        if isinstance(part, Settled) and last and part.by == last.by:
            last = Settled(last.text + part.text, part.by)
            continue
        if last:
            yield last
        last = part if isinstance(part, Settled) else None
        if isinstance(part, Conflict):
            yield part
    if last:
        yield last
