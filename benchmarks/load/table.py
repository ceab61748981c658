"""One table: one run at a time beside fifty at once, with the demo model and with an endpoint on loopback."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator

from benchmarks.load.measuring import Answerer, Figures, measured
from benchmarks.speed.measuring import apart
from benchmarks.speed.table import machine

RUNS = 50
ANSWERERS: tuple[Answerer, ...] = ("demo", "endpoint")
COLUMNS = (
    "runs",
    "events",
    "seconds",
    "CPU s",
    "events/s",
    "× one",
    "delay p50 ms",
    "delay p95 ms",
    "memory MB",
    "threads",
)


def main() -> None:
    parser = ArgumentParser(description="Print the table of benchmarks/runs.md.")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs of each row; {RUNS} if left out")
    parser.add_argument("--model", choices=ANSWERERS, help="one of the two; both if left out")
    options = parser.parse_args()
    for line in report(options.runs, (options.model,) if options.model else ANSWERERS):
        print(line, flush=True)  # noqa: T201


def report(runs: int, answerers: tuple[Answerer, ...] = ANSWERERS) -> Iterator[str]:
    """Markdown, line by line as it is known. Each row is measured in a process of its own."""
    yield f"{machine()}; wall-clock time"
    yield ""
    yield f"| model | at once | {' | '.join(COLUMNS)} |"
    yield f"| --- | ---: |{' ---: |' * len(COLUMNS)}"
    for answerer in answerers:
        one: Figures | None = None
        for at_once in (1, runs):
            sys.stderr.write(f"{answerer}, {at_once} at once\n")
            found = apart(measured, answerer, runs, at_once)
            one = one or found
            yield f"| {answerer} | {at_once} | {' | '.join(_cells(found, one))} |"


def _cells(found: Figures, one: Figures) -> list[str]:
    return [
        f"{found.runs}",
        f"{found.events:,}",
        f"{found.seconds:.2f}",
        f"{found.cpu:.2f}",
        f"{found.events_a_second:,.0f}",
        f"{found.events_a_second / one.events_a_second:.2f}",
        f"{1_000 * found.delay(0.5):.1f}",
        f"{1_000 * found.delay(0.95):.1f}",
        "–" if found.memory is None else f"{found.memory / 1e6:.0f}",
        f"{found.threads}",
    ]
