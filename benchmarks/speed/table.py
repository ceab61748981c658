"""One table over several sizes of catalog, each engine beside tantivy in the same run."""

import os
import platform
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.speed.chain import edit_to_hit
from benchmarks.speed.measuring import Clock, Figures, apart, measured, percentile
from benchmarks.speed.peers import PEERS
from benchmarks.speed.subjects import Bm25fUnexplained, OurEngine, Subject
from benchmarks.speed.synthetic import synthetic
from catalog.search import ENGINES
from catalog.search.index import build_index

SIZES = (100, 1_000, 10_000, 50_000)
QUERIES = 150
YARDSTICK = "tantivy"
CHAIN = "(an edit through the database)"
COLUMNS = ("build s", "update ms", "cold p50", "cold p95", "warm p50", "warm p95", f"× {YARDSTICK}", "memory MB")


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/search.md; times are in ms unless told.")
    parser.add_argument("--tools", type=int, action="append", help=f"a size; {SIZES} if left out")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument(
        "--cpu", action="store_true", help="count the time of the processors, on a machine with other work"
    )
    parser.add_argument("--only", action="append", help="a row; all if left out")
    options = parser.parse_args()
    clock = process_time if options.cpu else perf_counter
    for line in report(options.tools or SIZES, options.queries, options.only or (), clock):
        print(line, flush=True)  # noqa: T201


def report(sizes: Sequence[int], queries: int, only: Sequence[str], clock: Clock) -> Iterator[str]:
    """Markdown, line by line as it is known."""
    yield f"{facts()}; {'processor time' if clock is process_time else 'wall-clock time'}"
    yield ""
    yield f"| tools | engine | {' | '.join(COLUMNS)} |"
    yield f"| ---: | --- |{' ---: |' * len(COLUMNS)}"
    left_out: dict[str, str] = {}
    for tools in sizes:
        with TemporaryDirectory() as folder:
            seconds = apart(_index, Path(folder), tools, clock)
            yield _row(tools, "(the Whoosh index)", [f"{seconds:.2f}", *[""] * (len(COLUMNS) - 1)])
            yardstick = 0.0
            for name, make in _subjects(Path(folder)):
                if only and name not in only:
                    continue
                sys.stderr.write(f"{tools:,} tools: {name}\n")
                found = measured(make, tools, queries, clock)
                if isinstance(found, str):
                    left_out[name] = found
                    continue
                yardstick = median(found.warm) if name == YARDSTICK else yardstick
                yield _row(tools, name, _cells(found, yardstick))
            if not only or CHAIN in only:
                sys.stderr.write(f"{tools:,} tools: {CHAIN}\n")
                yield _row(
                    tools, CHAIN, ["", f"{1000 * apart(edit_to_hit, tools, clock):.1f}", *[""] * (len(COLUMNS) - 2)]
                )
    for name, why in left_out.items():
        yield f"\nLeft out: {name}: {why}."


def facts() -> str:
    """The machine and the versions that the figures are of."""
    return ", ".join([machine(), *map(_version, ("numpy", "whoosh3", "google-re2", "tantivy", "bm25s"))])


def machine() -> str:
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


def _subjects(index: Path) -> Iterator[tuple[str, Callable[[], Subject]]]:
    """The yardstick first."""
    yield from PEERS.items()
    yield "bm25f, not explained", partial(Bm25fUnexplained, index)
    for slug in ENGINES:
        yield slug, partial(OurEngine, slug, index)


def _index(folder: Path, tools: int, clock: Clock) -> float:
    catalog = synthetic(tools, 0)
    started = clock()
    build_index(folder, catalog.tools)
    return clock() - started


def _cells(found: Figures, yardstick: float) -> list[str]:
    times = (percentile(asked, share) for asked in (found.cold, found.warm) for share in (0.5, 0.95))
    return [
        f"{found.build:.2f}",
        "rebuild" if found.update is None else f"{1000 * found.update:.1f}",
        *(f"{1000 * seconds:.2f}" for seconds in times),
        f"{median(found.warm) / yardstick:.1f}" if yardstick else "–",
        "–" if found.memory is None else f"{found.memory / 1e6:.0f}",
    ]


def _row(tools: int, name: str, cells: Sequence[str]) -> str:
    return f"| {tools:,} | {name} | {' | '.join(cells)} |"
