"""Running an engine over judged queries, on an index that goes away afterwards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from catalog.evaluating.judged import JudgedQuery
from catalog.evaluating.metrics import DEPTH, mean, measure
from catalog.search import ENGINES
from catalog.search.building import build
from catalog.search.engine import Corpus
from catalog.search.vectors import Vectors
from catalog.tools import ToolSpec

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one engine reached: the means over the queries, and the milliseconds of a query in the middle."""

    engine: str
    tools: int
    queries: int
    metrics: Mapping[str, float]
    milliseconds: float


@contextmanager
def indexed(
    tools: Mapping[str, ToolSpec], progress: Progress | None = None, vectors: Vectors | None = None
) -> Iterator[Corpus]:
    """A corpus of the tools; `progress` hears how many are indexed."""
    specs = tuple(tools.values())
    with TemporaryDirectory() as folder:
        build(Path(folder), specs, progress)
        yield Corpus(specs, Path(folder), vectors)


def evaluate(
    slug: str,
    corpus: Corpus,
    ids: Mapping[str, str],
    queries: Sequence[JudgedQuery],
    progress: Progress = lambda done: None,
) -> Evaluation:
    """`ids` gives each tool's id by its name; `progress` hears how many queries are done. Raises ValueError on none."""
    if not queries:
        raise ValueError("there is no query to measure with")
    engine = ENGINES[slug](corpus)
    measured, seconds = [], []
    for done, query in enumerate(queries, start=1):
        begun = perf_counter()
        hits = engine.search(query.text, DEPTH).hits
        seconds.append(perf_counter() - begun)
        measured.append(measure([ids[hit.tool.name] for hit in hits], query.groups))
        progress(done)
    middle = sorted(seconds)[len(seconds) // 2]
    return Evaluation(slug, len(corpus.tools), len(queries), mean(measured), 1_000 * middle)


def ids_by_name(tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    return {tool.name: id for id, tool in tools.items()}
