"""One table: every step with few tools beside the same with many."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.curating.asking import Asking, Row
from benchmarks.curating.listings import listings
from benchmarks.curating.parts import FILL, PARTS
from benchmarks.curating.product import NotAsExpectedError, Person, product
from benchmarks.speed.table import machine

MANY, FEW = 50_000, 500


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/curation.md, each line as soon as it is known.")
    parser.add_argument("--tools", type=int, default=MANY, help=f"{MANY:,} if left out")
    parser.add_argument("--few", type=int, default=FEW, help=f"what they are compared with; {FEW:,} if left out")
    parser.add_argument("--state", type=Path, help="a folder for the state with many tools, which is kept")
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, help="parts to measure; a state that is there is not filled"
    )
    options = parser.parse_args()
    for line in report(options.few, options.tools, options.state, options.only or PARTS):
        print(line, flush=True)  # noqa: T201


def report(few: int, many: int, state: Path | None, parts: Collection[str]) -> Iterator[str]:
    """Markdown, line by line as it is known."""
    yield f"{machine()}; wall-clock time"
    yield ""
    yield f"| step | {few:,} tools, s | again | CPU | {many:,} tools, s | again | CPU | × CPU |"
    yield f"| --- |{' ---: |' * 7}"
    before = list(_measured(few, None, parts))
    for one, other in zip(before, _measured(many, state, parts), strict=True):
        yield _line(one, other)


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes that the server's process has after a part, and had at most."""

    part: str
    now: int
    most: int


def _measured(tools: int, state: Path | None, parts: Collection[str]) -> Iterator[Row | Memory]:
    """The rows of each part, and after it the memory."""
    lists = listings(tools, Path(os.environ.get("PEGBOARD_SHARED", "../shared")))
    is_filled = state is not None and (state / "pegboard.sqlite3").exists()
    with product(state) as person:
        asking = Asking(person, lists)
        for name, part in PARTS.items():
            if name not in parts and (name != FILL or is_filled):
                continue
            rows = (_said(tools, person, row) for row in part(asking))
            if name in parts:
                yield from rows
                yield Memory(name, person.memory(), person.most_memory())
            else:
                list(rows)


def _said(tools: int, person: Person, row: Row) -> Row:
    memory = f"{person.memory() / 1e6:.0f} MB, at most {person.most_memory() / 1e6:.0f}"
    sys.stderr.write(f"{tools:,} tools: {row.step}: {', '.join(_cells(row))}; {memory}\n")
    return row


def _line(few: Row | Memory, many: Row | Memory) -> str:
    match few, many:
        case Row(), Row():
            ratio = f"{many.cpu / few.cpu:.1f}" if few.cpu else ""
            return f"| {many.step} | {' | '.join((*_cells(few), *_cells(many), ratio))} |"
        case Memory(), Memory():
            told = (few.now, few.most, many.now, many.most)
            now, most, then, topmost = (f"{size / 1e6:.0f} MB" for size in told)
            return f"| memory after {few.part}, and at most | {now} | {most} | | {then} | {topmost} | | |"
    raise NotAsExpectedError("the two runs measured other things")


def _cells(row: Row) -> tuple[str, str, str]:
    return _seconds(row.first), _seconds(row.again), f"{row.cpu:.2f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
