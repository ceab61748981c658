"""The texts of two tools side by side, cut into pieces: words that both have, and those that only one has."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from catalog.lint.telling_apart import Words
from catalog.lint.tool_words import name_of
from catalog.schema_table import parameter_rows
from catalog.search.words import index_words
from catalog.tools import ToolSpec

MAX_TEXT = 2_000
"""Characters of a text that are shown."""
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text: `only` stands in this tool alone, `both` in the two, `between` is no word."""

    text: str
    kind: Literal["only", "both", "between"]


@dataclass(frozen=True, slots=True)
class Side:
    """A tool's name, description and parameters, one line each, in pieces."""

    tool: ToolSpec
    name: tuple[Piece, ...]
    description: tuple[Piece, ...]
    parameters: tuple[Piece, ...]


def side_by_side(here: ToolSpec, there: ToolSpec) -> tuple[Side, Side]:
    """In a name, the words are marked that the other name lacks; elsewhere those of which the other tool says nothing."""
    ours, theirs = Words.of(here), Words.of(there)
    return _side(here, theirs), _side(there, ours)


def _side(tool: ToolSpec, other: Words) -> Side:
    parameters = ", ".join(f"{row.path}{row.name}" for row in parameter_rows(tool.parameters))
    others = other.all.keys()
    return Side(
        tool,
        tuple(pieces(name_of(tool), other.name.keys())),
        tuple(pieces(_SPACES.sub(" ", tool.description), others)),
        tuple(pieces(parameters, others)),
    )


def pieces(text: str, others: Collection[str]) -> Iterator[Piece]:
    """The pieces of a text, `others` being the terms of the other tool. Of a compound its parts are told."""
    text = text[:MAX_TEXT] + ("…" if len(text) > MAX_TEXT else "")
    place = 0
    for word in index_words(text):
        if word.start < place:
            continue
        if word.start > place:
            yield Piece(text[place : word.start], "between")
        yield Piece(text[word.start : word.end], "both" if word.term in others else "only")
        place = word.end
    if place < len(text):
        yield Piece(text[place:], "between")
