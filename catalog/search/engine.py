"""The protocol of an engine, and the corpus that it searches."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Corpus:
    """The searchable tools of a catalog at one revision, in catalog order, and the folder of their index."""

    tools: tuple[ToolSpec, ...]
    index: Path


class Engine(Protocol):
    """A way to rank tools. Made once for a corpus and asked many times, from any thread."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the engine picker."""
    query_help: ClassVar[str]
    """What a query is, as a model is told it in a meta-tool's parameter."""

    def __init__(self, corpus: Corpus) -> None: ...

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        """The best `limit` hits (and, as cut, those that follow), of `servers` only unless that is empty."""
        ...
