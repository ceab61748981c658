"""The protocol of an engine, and the corpus that it searches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast, runtime_checkable

from catalog.search.ranking import Ranking
from catalog.search.settings import TypedSettings
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

Made = TypeVar("Made")
Make = Callable[["Corpus"], Any]


Changed = frozenset[int]
"""Where in a corpus, counted from 0, tools have other texts than before."""


@runtime_checkable
class Part(Protocol):
    """What is made of a corpus and can follow an edit for less than it takes to be made anew."""

    def updated(self, corpus: "Corpus", changed: Changed) -> Self:
        """The part over a corpus that has other texts in these places and the same tools, by name and server, everywhere.

        It equals what is made anew. The part itself stays as it is: searches under way go on with it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Corpus:
    """The searchable tools of a catalog at one revision, in catalog order, and the folder of their index.

    `vectors` is None where no model is set up that compares meanings.
    """

    tools: tuple[ToolSpec, ...]
    index: Path
    vectors: Vectors | None = field(default=None, compare=False, repr=False)
    _parts: dict[Make, Any] = field(default_factory=dict, compare=False, repr=False)
    _older: dict[Make, tuple[Part, Changed]] = field(default_factory=dict, compare=False, repr=False)
    """Parts of corpora before this one, and where tools have changed since."""
    _making: RLock = field(default_factory=RLock, compare=False, repr=False)

    def shared(self, make: Callable[["Corpus"], Made]) -> Made:
        """The one `make(corpus)` of this corpus: what engines need of its tools is made once, whoever asks first."""
        if make not in self._parts:
            with self._making:
                if make not in self._parts:
                    self._parts[make] = self._made(make)
        return cast(Made, self._parts[make])

    def following(self, before: "Corpus") -> Self:
        """This corpus, which takes over what was made of the one before and has it follow the edits.

        Where tools came, went or moved since, nothing is taken over.
        """
        changed = edited(before.tools, self.tools)
        if changed is not None:
            with before._making:
                for make, (part, since) in before._older.items():
                    self._older[make] = part, since | changed
                for make, part in before._parts.items():
                    if isinstance(part, Part):
                        self._older[make] = part, changed
        return self

    def _made(self, make: Make) -> Any:
        if make not in self._older:
            return make(self)
        part, changed = self._older.pop(make)
        return part.updated(self, changed)


def edited(before: Sequence[ToolSpec], after: Sequence[ToolSpec]) -> Changed | None:
    """Where the tools have other texts; None if they are not the same tools in the same order."""
    if len(before) != len(after):
        return None
    differ = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new]
    same = all(_identity(before[place]) == _identity(after[place]) for place in differ)
    return frozenset(place for place in differ if before[place] != after[place]) if same else None


def _identity(tool: ToolSpec) -> tuple[str, str, str]:
    return tool.name, tool.server, tool.upstream_name


class Engine(Protocol):
    """A way to rank tools. Made for every search, and quickly: what costs time is shared by the corpus."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the engine picker."""
    query_help: ClassVar[str]
    """What a query is, as a model is told it in a meta-tool's parameter."""
    Settings: ClassVar[type[TypedSettings]]

    def __init__(self, corpus: Corpus, settings: Any = ...) -> None:
        """`settings` are of the kind `Settings`; left out, they are the defaults."""

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """The best `limit` hits (and, as cut, those that follow), of `servers` only unless that is empty."""
        ...
