"""Running an engine over judged queries, on an index that goes away afterwards."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from catalog.evaluating.judged import JudgedQuery
from catalog.evaluating.metrics import DEPTH, mean, measure
from catalog.search.building import build
from catalog.search.choosing import ChosenEngine, choose
from catalog.search.engine import Corpus
from catalog.search.ranking import Ranking
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


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine returned for one query, by id; `ranks` are those of the tools that answer it, as far as it tells them.

    `problem` says why it could not run the query, and is empty where it could.
    """

    query: JudgedQuery
    hits: tuple[str, ...]
    ranks: Mapping[str, int]
    seconds: float
    problem: str = ""

    @property
    def figures(self) -> dict[str, float]:
        return measure(self.hits, self.query.groups, self.query.fine)


Ask = Callable[[str], Ranking]
"""A search of something by some engine, for the best `DEPTH` hits."""


def answer(query: JudgedQuery, ask: Ask, id_of: Callable[[ToolSpec], str]) -> Answer:
    """Ask one query."""
    begun = perf_counter()
    ranking = ask(query.text)
    seconds = perf_counter() - begun
    ranks = {id_of(hit.tool): hit.rank for hit in ranking.every_hit()}
    hits = tuple(id_of(hit.tool) for hit in ranking.hits)
    answering = {tool: ranks[tool] for tool in sorted(query.relevant) if tool in ranks}
    return Answer(query, hits, answering, seconds, ranking.problem)


def answers_on(
    corpus: Corpus, engine: ChosenEngine, queries: Iterable[JudgedQuery], id_of: Callable[[ToolSpec], str]
) -> Iterator[Answer]:
    """What the engine answers over the corpus, query by query. With `ToolSpec.key` ids are `server/name`, as suites have them."""
    over = engine.over(corpus)
    return (answer(query, lambda text: over.search(text, DEPTH), id_of) for query in queries)


def middle(seconds: Sequence[float]) -> float:
    """In milliseconds, of the query in the middle."""
    return 1_000 * sorted(seconds)[len(seconds) // 2]


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
    answered = []
    for done, one in enumerate(answers_on(corpus, choose(slug), queries, lambda tool: ids[tool.name]), start=1):
        answered.append(one)
        progress(done)
    figures = mean([one.figures for one in answered])
    return Evaluation(slug, len(corpus.tools), len(queries), figures, middle([one.seconds for one in answered]))


def ids_by_name(tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    return {tool.name: id for id, tool in tools.items()}
