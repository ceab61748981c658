"""How fast a what-if is: what an edit of one tool does to many queries, beside asking all of them anew with explanations.

    .venv/bin/python -m benchmarks.whatif [--tools N] [--queries N] [--cpu] [engine …]

Tools and queries are made up, the same on every machine. Each edit adds words of two queries to another tool's description.
Times are on the wall, or of the processor, of the median edit: from the edit to the first answer, to the last that changes,
and to all. The first edit also asks every query as it was before; that is told as `before`.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.speed.synthetic import synthetic
from catalog.search import ENGINES
from catalog.search.building import build
from catalog.search.choosing import choose
from catalog.search.engine import Corpus
from catalog.search.orders import Order, order_in
from catalog.search.trials import changed_corpus
from catalog.tools import ToolSpec
from catalog.whatif.foreseeing import foresee
from catalog.whatif.queries import KnownQuery
from catalog.whatif.sides import LIMIT, Side

EDITS = 5
HEAD = """| engine | before | index | first answer | last that changes | all | anew, explained | queries that change |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of one edit, and how many queries it changed."""

    index: float
    first: float
    changed: float
    all: float
    anew: float
    queries_changed: int


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--cpu", action="store_true", help="count processor time, on a machine that does other work")
    parser.add_argument("engines", nargs="*", default=["pegboard", "bm25f", "mastra", "eino-keyword", "like", "hybrid"])
    asked = parser.parse_args()
    made = synthetic(asked.tools, asked.queries)
    queries = [KnownQuery(text) for text in dict.fromkeys(made.queries)]
    with TemporaryDirectory() as folder:
        build(Path(folder) / "index", made.tools)
        corpus = Corpus(tuple(made.tools), Path(folder) / "index")
        said = f"{len(made.tools):,} tools, {len(queries):,} queries, median of {EDITS} edits, seconds"
        sys.stdout.write(f"{said}\n\n{HEAD}\n")
        for slug in asked.engines:
            row = _row(slug, corpus, queries, Path(folder), process_time if asked.cpu else perf_counter)
            sys.stdout.write(f"{row}\n")


def _row(slug: str, corpus: Corpus, queries: Sequence[KnownQuery], folder: Path, clock: Clock) -> str:
    side, known = Side(corpus, choose(slug)), dict[str, Order]()
    started = clock()
    list(foresee(queries, side, side, known))
    before = clock() - started
    edits = enumerate(_edits(corpus, queries))
    timed = [_timed(side, tools, known, folder / f"{slug}-{number}", queries, clock) for number, tools in edits]
    said = [median(getattr(one, name) for one in timed) for name in ("index", "first", "changed", "all", "anew")]
    figures = " | ".join(f"{value:.2f}" for value in (before, *said))
    return f"| {ENGINES[slug].slug} | {figures} | {median(one.queries_changed for one in timed):.0f} |"


def _edits(corpus: Corpus, queries: Sequence[KnownQuery]) -> Iterator[Sequence[ToolSpec]]:
    for number in range(EDITS):
        place = (number * 2_003 + 77) % len(corpus.tools)
        words = " ".join(query.text for query in queries[number * 7 : number * 7 + 2])
        tools = list(corpus.tools)
        tools[place] = replace(tools[place], description=f"{tools[place].description} {words}")
        yield tools


def _timed(
    side: Side,
    tools: Sequence[ToolSpec],
    known: dict[str, Order],
    folder: Path,
    queries: Sequence[KnownQuery],
    clock: Clock,
) -> Timed:
    started = clock()
    after = replace(side, corpus=changed_corpus(side.corpus, tools, folder))
    index = clock() - started
    told, moments = [], []
    for shift in foresee(queries, side, after, known):
        told.append(shift)
        moments.append(clock() - started)
    changed = [moment for shift, moment in zip(told, moments, strict=True) if shift.changed]
    engine, started = after.engine.over(after.corpus), clock()
    anew = [order_in(engine.search(shift.query.text, LIMIT)) for shift in told]
    if anew != [shift.after for shift in told]:
        raise RuntimeError(f"{side.engine.slug} answers otherwise than was foreseen")
    return Timed(index, moments[0], max(changed, default=0.0), moments[-1], clock() - started, len(changed))


if __name__ == "__main__":
    main()
