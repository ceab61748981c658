"""Logs of runs from elsewhere: kept without their secrets, and what importing them would bring."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User

from playground.foreign.figures import LogFigures, figures_of
from playground.foreign.formats import READERS, kind_of_log
from playground.foreign.records import clean
from playground.foreign.runs import ForeignRuns, ForeignThread, Problem
from playground.models import Run, RunImport

MOST_THREADS = 500
"""Of one import; what is more is told, and left out."""


@dataclass(frozen=True, slots=True)
class BroughtLog:
    """A log and how it is read: `kind` names a reader, and is empty where none knows it. `redacted` counts secrets."""

    name: str
    kind: str
    text: str
    redacted: int
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        return READERS[self.kind].title if self.kind in READERS else ""


@dataclass(frozen=True, slots=True)
class PlannedThread:
    """A thread that can be imported. `twin` is a run here that came of the same log, or is the same run."""

    key: str
    log: BroughtLog
    thread: ForeignThread
    figures: LogFigures
    twin: Run | None

    @property
    def origin(self) -> str:
        return f"{self.log.name}: {self.thread.origin}"[:300]


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A log, what stands in its way, and its threads."""

    log: BroughtLog
    threads: tuple[PlannedThread, ...]
    problems: tuple[Problem, ...]


def brought(name: str, text: str, kind: str = "") -> BroughtLog:
    """Its kind is recognised unless it is said."""
    log = clean(text)
    return BroughtLog(name[:200], kind or kind_of_log(log.text), log.text, log.redacted, log.problems)


def keep(logs: list[BroughtLog], by: User) -> RunImport:
    """Until its person has chosen; what lies there longer than a day goes."""
    RunImport.drop_old()
    content: Any = [asdict(log) for log in logs]
    return RunImport.objects.create(by=by, logs=content)


def kept(row: RunImport) -> list[BroughtLog]:
    return [
        BroughtLog(**{**fields, "problems": tuple(Problem(**one) for one in fields["problems"])}) for fields in row.logs
    ]


def reread(row: RunImport, kinds: list[str]) -> None:
    """Have each log read as another kind."""
    for log, kind in zip(row.logs, kinds, strict=True):
        log["kind"] = kind
    row.save(update_fields=["logs"])


def plan(logs: list[BroughtLog]) -> list[ReadLog]:
    """What importing would bring, log by log."""
    return [_read(number, log) for number, log in enumerate(logs)]


def _read(number: int, log: BroughtLog) -> ReadLog:
    reader = READERS.get(log.kind)
    found = reader.read(log.text) if reader else ForeignRuns()
    problems = [*log.problems, *found.problems]
    if more := len(found.threads) - MOST_THREADS:
        problems += [Problem(0, f"{more:,} more were left out: an import brings {MOST_THREADS} at most.")] * (more > 0)
    return ReadLog(log, tuple(_planned(number, log, found.threads[:MOST_THREADS])), tuple(problems))


def _planned(number: int, log: BroughtLog, threads: tuple[ForeignThread, ...]) -> Iterator[PlannedThread]:
    rows = [(f"{number}-{place}", thread, figures_of(thread.runs)) for place, thread in enumerate(threads)]
    ids = [run.id for thread in threads for run in thread.runs if run.id]
    here = Run.objects.in_bulk(ids)
    origins = {PlannedThread("", log, thread, figures, None).origin for _, thread, figures in rows}
    before = {run.origin: run for run in Run.objects.filter(imported_from=log.kind, origin__in=origins)}
    for key, thread, figures in rows:
        planned = PlannedThread(key, log, thread, figures, None)
        same = next((here[run.id] for run in thread.runs if run.id in here), None)
        yield PlannedThread(key, log, thread, figures, same or before.get(planned.origin))
