"""One small catalog for the engines, and a corpus made of any tools."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec
from tests.embedding import vectors_of

TOOLS = (
    ToolSpec("get_weather", "Current weather conditions for one city", server="weather"),
    ToolSpec("weather_forecast", "Seven day outlook for a place", server="weather"),
    ToolSpec("send_message", "Post a text to a channel that the whole team reads", server="chat", tags=("team",)),
    ToolSpec("send_email", "Deliver an email to one or more people", server="mail", search_text="write a letter"),
    ToolSpec("read_file", "读文件 Read a file from disk", server="files"),
    ToolSpec("createIssue", "Opens a ticket on GitHub", server="github", aliases=("file a bug",)),
)


@contextmanager
def corpus_of(tools: Sequence[ToolSpec], vectors: Vectors | None = None) -> Iterator[Corpus]:
    """A corpus of these tools, indexed in a folder that goes away."""
    with TemporaryDirectory() as folder:
        build_index(Path(folder), tools)
        yield Corpus(tuple(tools), Path(folder), vectors)


@pytest.fixture(scope="session")
def corpus() -> Iterator[Corpus]:
    with corpus_of(TOOLS) as made:
        yield made


@pytest.fixture(scope="session")
def corpus_with_vectors() -> Iterator[Corpus]:
    with corpus_of(TOOLS, vectors_of(TOOLS)) as made:
        yield made


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Corpus]:
    """Make a corpus of the tools given."""

    def make(*tools: ToolSpec) -> Corpus:
        build_index(tmp_path / "index", tools)
        return Corpus(tools, tmp_path / "index")

    return make
