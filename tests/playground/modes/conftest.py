"""A small pool that every mode is asked about, and an engine that finds by plain words."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from catalog.search.explanation import fact
from catalog.search.ranking import Hit, QueryReading, Ranking
from catalog.search.settings import TypedSettings
from catalog.tools import ToolPool, ToolSpec


@dataclass
class WordEngine:
    """Finds the tools whose name holds the query; keeps what it was asked. `(` is a query that it cannot run."""

    pool: ToolPool
    notes: tuple[str, ...] = ()
    asked: list[tuple[str, int]] = field(default_factory=list)

    slug: ClassVar[str] = "word"
    title: ClassVar[str] = "Word"
    summary: ClassVar[str] = "Names that hold the query."
    query_help: ClassVar[str] = "A word of the name"
    Settings: ClassVar[type[TypedSettings]] = TypedSettings

    def search(self, query: str, limit: int, servers: frozenset[str] = frozenset()) -> Ranking:
        self.asked.append((query, limit))
        reading = QueryReading(query)
        if query == "(":
            return Ranking(self.slug, reading, problem="invalid regex pattern: missing )")
        found = [tool for tool in self.pool.searchable if query and query in tool.name]
        hits = tuple(Hit(rank, tool, fact(1.0, "in the name")) for rank, tool in enumerate(found[:limit], start=1))
        return Ranking(self.slug, reading, hits, matched=len(found), searched=len(self.pool), notes=self.notes)


@pytest.fixture
def pool() -> ToolPool:
    """Two upfront, one of them of a special category, and four to be found."""
    tools = (
        ToolSpec("get_weather", "Weather now.", server="weather"),
        ToolSpec("ask_human", "Ask the person.", server="chat", category="human"),
        ToolSpec("weather_forecast", "Weather later <soon> & then.", server="weather"),
        ToolSpec("send_message", "Send a message.", server="chat"),
        ToolSpec("list_files", "List files.", server="files"),
        ToolSpec("update_workspace_file", "Change a file.", server="files"),
    )
    return ToolPool(tools, ("ask_human", "list_files"))


@pytest.fixture
def engine(pool: ToolPool) -> WordEngine:
    return WordEngine(pool)
