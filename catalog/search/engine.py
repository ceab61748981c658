"""The protocol of an engine, and the corpus that it searches."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Protocol, TypeVar, cast

from catalog.search.ranking import Ranking
from catalog.search.settings import EngineSettings
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The searchable tools of a catalog at one revision, in catalog order, and the folder of their index.

    `vectors` is None where no model is set up that compares meanings.
    """

    tools: tuple[ToolSpec, ...]
    index: Path
    vectors: Vectors | None = field(default=None, compare=False, repr=False)
    _parts: dict[Callable[["Corpus"], Any], Any] = field(default_factory=dict, compare=False, repr=False)
    _making: RLock = field(default_factory=RLock, compare=False, repr=False)

    def shared(self, make: Callable[["Corpus"], Part]) -> Part:
        """The one `make(corpus)` of this corpus: what engines need of its tools is made once, whoever asks first."""
        if make not in self._parts:
            with self._making:
                if make not in self._parts:
                    self._parts[make] = make(self)
        return cast(Part, self._parts[make])


class Engine(Protocol):
    """A way to rank tools. Made for every search, and quickly: what costs time is shared by the corpus."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the engine picker."""
    query_help: ClassVar[str]
    """What a query is, as a model is told it in a meta-tool's parameter."""
    Settings: ClassVar[type[EngineSettings]]

    def __init__(self, corpus: Corpus, settings: Any = ...) -> None:
        """`settings` are of the kind `Settings`; left out, they are the defaults."""

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """The best `limit` hits (and, as cut, those that follow), of `servers` only unless that is empty."""
        ...
