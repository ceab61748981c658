"""Measuring one subject in a process of its own: how long it takes to build, to ask and to change, and what it keeps."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

from benchmarks.speed.subjects import AbsentError, Subject
from benchmarks.speed.synthetic import NEW_WORDS, edited, synthetic
from catalog.tools import ToolSpec

WARM_ROUNDS = 3
EDITS = 9

Result = TypeVar("Result")
Clock = Callable[[], float]
"""`perf_counter`, or `process_time` on a machine that has other work meanwhile."""


class UnseenEditError(Exception):
    """A search after an edit of this tool did not find it by its new word."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds, and bytes; `cold` and `warm` have one time for each query asked. None is what could not be measured.

    `cold` is the first time that a query is asked of what was just built, `warm` every further time.
    """

    build: float
    cold: tuple[float, ...]
    warm: tuple[float, ...]
    update: float | None
    memory: int | None


def measured(make: Callable[[], Subject], tools: int, queries: int, clock: Clock = perf_counter) -> Figures | str:
    """The figures over that many tools, or why there are none. `make` is called in the new process."""
    return apart(_measure, make, tools, queries, clock)


def apart(work: Callable[..., Result], *arguments: object) -> Result:
    """What the work gives, done in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of the queries does not exceed."""
    return sorted(times)[max(0, round(share * len(times)) - 1)]


def _measure(make: Callable[[], Subject], tools: int, queries: int, clock: Clock) -> Figures | str:
    catalog, subject = synthetic(tools, queries), make()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        before, started = resident(), clock()
        try:
            subject.build(catalog.tools, Path(folder))
        except AbsentError as why:
            return str(why)
        build = clock() - started
        asked = subject.queries(catalog)
        cold = [_timed(subject.ask, query, clock) for query in asked]
        warm = [_timed(subject.ask, query, clock) for _ in range(WARM_ROUNDS) for query in asked]
        after = resident()
        memory = None if before is None or after is None else after - before
        places = range(0, tools, max(1, tools // EDITS))[:EDITS]
        update = _updates(subject, catalog.tools, places, clock)
        return Figures(build, tuple(cold), tuple(warm), update, memory)


def _updates(subject: Subject, tools: Sequence[ToolSpec], places: Sequence[int], clock: Clock) -> float | None:
    """The median from an edit to the end of the next query, which must see it."""
    times = []
    for place, word in zip(places, NEW_WORDS, strict=False):
        tool = edited(tools[place], word)
        started = clock()
        try:
            subject.update(place, tool)
        except NotImplementedError:
            return None
        found = subject.ask(subject.question(tool, word))
        times.append(clock() - started)
        if tool.name not in found:
            raise UnseenEditError(tool.name)
    return median(times)


def _timed(ask: Callable[[str], object], query: str, clock: Clock) -> float:
    started = clock()
    ask(query)
    return clock() - started


def resident() -> int | None:
    """Bytes of memory that this process has, where the system tells it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None
