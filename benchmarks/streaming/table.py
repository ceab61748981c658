"""The table of `stream.md`: one watcher of one run, then many of many, with sockets that live and with sockets that break off."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

from benchmarks.speed.measuring import apart, percentile
from benchmarks.speed.table import machine
from benchmarks.streaming.serving import Figures, Load, measured

LOADS = (
    Load(runs=1, watchers=1, texts=400, pace=20),
    Load(runs=50, watchers=50, texts=400, pace=20),
    Load(runs=50, watchers=200, texts=400, pace=20),
    Load(runs=50, watchers=200, texts=400, pace=20, drops=(1.0, 3.0)),
)
COLUMNS = (
    "texts told",
    "lost",
    "cut off",
    "delay p50 ms",
    "p95",
    "p99",
    "p95 × one",
    "first frame after a cut, p95 ms",
    "CPU s",
    "seconds",
    "memory MB",
)


def main() -> None:
    ArgumentParser(description="Print the table of benchmarks/stream.md.").parse_args()
    for line in report(LOADS):
        print(line, flush=True)  # noqa: T201


def report(loads: Sequence[Load]) -> Iterator[str]:
    """Markdown, line by line as it is known. Each row is measured in a process of its own."""
    yield f"{machine()}; wall-clock time"
    yield ""
    yield f"| runs | watchers | texts a run | sockets live | {' | '.join(COLUMNS)} |"
    yield f"| ---: | ---: | ---: | --- |{' ---: |' * len(COLUMNS)}"
    one: Figures | None = None
    for load in loads:
        sys.stderr.write(f"{load}\n")
        found = apart(measured, load)
        one = one or found
        lives = "{:g} to {:g} s".format(*load.drops) if load.drops else "on"
        yield f"| {load.runs} | {load.watchers} | {load.texts} | {lives} | {' | '.join(_cells(found, one))} |"


def _cells(found: Figures, one: Figures) -> list[str]:
    resumes = found.seen.resumes
    return [
        f"{found.seen.texts:,}",
        f"{found.lost}",
        f"{found.seen.drops:,}",
        *(f"{1_000 * found.delay(share):.0f}" for share in (0.5, 0.95, 0.99)),
        f"{found.delay(0.95) / one.delay(0.95):.1f}",
        f"{1_000 * percentile(resumes, 0.95):.0f}" if resumes else "–",
        f"{found.cpu:.1f}",
        f"{found.seconds:.1f}",
        "–" if found.memory is None else f"{found.memory / 1e6:.0f}",
    ]
