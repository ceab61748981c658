"""One table: every step with few tools beside the same with many."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from benchmarks.curating.listings import listings
from benchmarks.curating.product import product
from benchmarks.curating.steps import Curation, Row
from benchmarks.speed.table import machine

MANY, FEW = 50_000, 500


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/curation.md.")
    parser.add_argument("--tools", type=int, default=MANY, help=f"{MANY:,} if left out")
    parser.add_argument("--few", type=int, default=FEW, help=f"what they are compared with; {FEW:,} if left out")
    parser.add_argument("--state", type=Path, help="a folder for the state with many tools, which is kept")
    options = parser.parse_args()
    for line in report(options.few, options.tools, options.state):
        print(line, flush=True)  # noqa: T201


def report(few: int, many: int, state: Path | None) -> Iterator[str]:
    """Markdown, line by line as it is known."""
    yield f"{machine()}; wall-clock time"
    yield ""
    yield f"| step | {few:,} tools, s | again | CPU | {many:,} tools, s | again | CPU | × CPU |"
    yield f"| --- |{' ---: |' * 7}"
    before, least = _measured(few, None)
    after, most = _measured(many, state)
    for one, other in zip(before, after, strict=True):
        yield _line(one, other)
    yield f"| most memory, MB | {least / 1e6:.0f} | | | {most / 1e6:.0f} | | | {most / least:.1f} |"


def _measured(tools: int, state: Path | None) -> tuple[list[Row], int]:
    rows, lists = [], listings(tools, Path(os.environ.get("PEGBOARD_SHARED", "../shared")))
    with product(state) as person:
        for row in Curation(person, lists).run():
            memory = f"{person.most_memory() / 1e6:.0f} MB"
            sys.stderr.write(f"{tools:,} tools: {row.step}: {', '.join(_cells(row))}; {memory}\n")
            rows.append(row)
        return rows, person.most_memory()


def _line(few: Row, many: Row) -> str:
    ratio = f"{many.cpu / few.cpu:.1f}" if few.cpu else ""
    return f"| {many.step} | {' | '.join((*_cells(few), *_cells(many), ratio))} |"


def _cells(row: Row) -> tuple[str, str, str]:
    return _seconds(row.first), _seconds(row.again), f"{row.cpu:.2f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
