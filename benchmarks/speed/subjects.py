"""What is measured: anything that can be built over tools, asked, and told of an edit."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from benchmarks.speed.synthetic import Catalog
from catalog.search import ENGINES
from catalog.search.bm25f import WhooshBm25f
from catalog.search.engine import Corpus
from catalog.search.index import update_index
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec

LIMIT = 10


class AbsentError(Exception):
    """The subject cannot be measured here; the message says why."""


class Subject(Protocol):
    def build(self, tools: Sequence[ToolSpec], folder: Path) -> None:
        """Be ready for the first query. `folder` is empty and the subject's own."""

    def queries(self, catalog: Catalog) -> Sequence[str]:
        """What it is asked."""

    def ask(self, query: str) -> Sequence[str]:
        """The names of the best LIMIT tools."""

    def question(self, tool: ToolSpec, word: str) -> str:
        """A query that finds the tool once its description has the word."""

    def update(self, place: int, tool: ToolSpec) -> None:
        """Have the next query see this tool in that place. Raises NotImplementedError if only a rebuild does that."""


class OurEngine:
    """One of ENGINES over an index on disk, whose building is measured apart."""

    def __init__(self, slug: str, index: Path) -> None:
        self._kind = ENGINES[slug]
        self._index = index

    def build(self, tools: Sequence[ToolSpec], folder: Path) -> None:
        shutil.copytree(self._index, folder, dirs_exist_ok=True)
        self._corpus = Corpus(tuple(tools), folder)
        ranking = self._search("create message")
        if ranking.problem:
            raise AbsentError(ranking.problem)
        self._takes_patterns = ranking.reading.is_pattern

    def queries(self, catalog: Catalog) -> Sequence[str]:
        return catalog.patterns if self._takes_patterns else catalog.queries

    def ask(self, query: str) -> Sequence[str]:
        return [hit.tool.name for hit in self._search(query).hits]

    def question(self, tool: ToolSpec, word: str) -> str:
        """A pattern may be sought in names only."""
        return f"{word}|^{re.escape(tool.name)}$" if self._takes_patterns else word

    def update(self, place: int, tool: ToolSpec) -> None:
        tools = [*self._corpus.tools]
        tools[place] = tool
        update_index(self._corpus.index, [tool])
        self._corpus = Corpus(tuple(tools), self._corpus.index).following(self._corpus)

    def _search(self, query: str) -> Ranking:
        return self._kind(self._corpus).search(query, LIMIT)


class Bm25fUnexplained(OurEngine):
    """What BM25F takes to find the best tools, before it explains them."""

    def __init__(self, index: Path) -> None:
        super().__init__("bm25f", index)

    def ask(self, query: str) -> Sequence[str]:
        found = WhooshBm25f(self._corpus).find(query, LIMIT)
        return [self._corpus.tools[place].name for place in found.best[:LIMIT]]
