"""Two values compared for the eye: lines that went, came or stayed, and within a line of text the words that differ."""

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from catalog.text_pieces import pieces_of

MAX_WORDS = 600
"""Above this, a text is compared line by line: comparing words takes time in the square of their number."""
MAX_LINES = 1_000
CONTEXT = 2
MAX_LETTERS = 6_000
"""Of lines that stand in each other's place: above this, their words are not compared."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a line; `differs` marks what the other side lacks."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    kind: Literal["added", "removed", "same", "hunk"]
    pieces: tuple[Piece, ...]


def compare(before: Any, after: Any) -> list[Line]:
    """The lines of a change. Lists of texts have one a line, other values that are no text are JSON; what is empty has no lines."""
    old, new = _lines(before), _lines(after)
    if len(old) == len(new) == 1 and isinstance(before, str) and isinstance(after, str):
        return _compare_words(before, after)
    if max(len(old), len(new)) > MAX_LINES:
        note = f"Only the first {MAX_LINES:,} lines are compared."
        return [*_compare_lines(old[:MAX_LINES], new[:MAX_LINES]), Line("hunk", (Piece(note),))]
    return list(_compare_lines(old, new))


def _lines(value: Any) -> list[str]:
    if value in (None, "", [], {}):
        return []
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    return (value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)).splitlines()


def _compare_words(before: str, after: str) -> list[Line]:
    old, new = pieces_of(before), pieces_of(after)
    if max(len(old), len(new)) > MAX_WORDS:
        return [Line("removed", (Piece(before),)), Line("added", (Piece(after),))]
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    removed = tuple(Piece("".join(old[i:j]), step != "equal") for step, i, j, _, _ in steps if i < j)
    added = tuple(Piece("".join(new[i:j]), step != "equal") for step, _, _, i, j in steps if i < j)
    return [Line("removed", removed), Line("added", added)]


def _compare_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    for number, group in enumerate(difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT)):
        if number or group[0][1]:
            yield Line("hunk", (Piece(f"from line {group[0][3] + 1}"),))
        for step, a, b, c, d in group:
            if step == "equal":
                yield from (Line("same", (Piece(text),)) for text in old[a:b])
            else:
                yield from _replaced(old[a:b], new[c:d])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Lines that stand in each other's place: of as many as there were, the words that differ are marked."""
    if len(old) != len(new) or sum(map(len, (*old, *new))) > MAX_LETTERS:
        yield from (Line("removed", (Piece(text),)) for text in old)
        yield from (Line("added", (Piece(text),)) for text in new)
        return
    pairs = [_compare_words(before, after) for before, after in zip(old, new, strict=True)]
    yield from (removed for removed, _ in pairs)
    yield from (added for _, added in pairs)
