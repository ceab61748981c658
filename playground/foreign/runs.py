"""What a log holds: threads of runs as events, and what of it was left out or is doubtful."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from playground.agent.events import Event
from playground.transcript import Message

NOT_IN_LOG = "not in the log"
"""Stands where a page shows a name that the log does not have."""

TimedEvent = tuple[datetime | None, Event]
"""An event and when it was, None where the log does not tell."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of a log that was left out or changed. `line` is 0 where it is not of one line."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"Line {self.line:,}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class SeenTool:
    """A tool that a request carried; `deferred` is one that was handed to the provider hidden. `tokens` is an estimate."""

    name: str
    server: str = ""
    tokens: int = 0
    deferred: bool = False
    searches: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider counted, as ModelAnswered has it."""

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    written: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """What a log tells of a message beside its words; None is what it does not tell.

    Of an answer: `tools` that its request carried, when it was asked (`began`), its usage. Of a tool's answer: `seconds`
    that the call took, whether it `searches` and among how many tools. `at` is when the message was whole.
    """

    at: datetime | None = None
    began: datetime | None = None
    seconds: float | None = None
    tools: tuple[SeenTool, ...] | None = None
    usage: Usage = Usage()
    finish_reason: str = ""
    searches: bool = False
    searched: int | None = None
    unknown: tuple[str, ...] = ()


NOTHING_TOLD = Detail()


@dataclass(slots=True)
class Conversation:
    """Messages in order, each with what the log tells of it. `ending` is a reason to say why the last run broke off.

    `asked_with` are the tools of the last request, where its answer has not been seen yet.
    """

    origin: str
    title: str = ""
    model: str = ""
    told: list[tuple[Message, Detail]] = field(default_factory=list)
    ending: str = ""
    asked_with: tuple[SeenTool, ...] | None = None


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """One run. `id` is its own where the log is Pegboard's; `parent_call` is the call that it is nested under.

    `notes` are a speaker's, each with the number of the event at which it stands, counted from 1.
    """

    task: str
    events: tuple[TimedEvent, ...]
    id: UUID | None = None
    parent_call: str = ""
    nested: tuple["ForeignRun", ...] = ()
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def has_times(self) -> bool:
        return any(at is not None for at, _ in self.events)


@dataclass(frozen=True, slots=True)
class ForeignThread:
    """Runs in their order. `origin` tells this thread from others of the same log."""

    origin: str
    title: str
    runs: tuple[ForeignRun, ...]


@dataclass(frozen=True, slots=True)
class ForeignRuns:
    """All that was read of a log."""

    threads: tuple[ForeignThread, ...] = ()
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, threads: Iterable[ForeignThread], problems: Iterable[Problem]) -> "ForeignRuns":
        return cls(tuple(thread for thread in threads if thread.runs), tuple(problems))
