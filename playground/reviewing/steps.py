"""How a run came by its tools: what it searched, loaded and called, and which search led to which call or load.

That is said here once, for findings, the queue, the confusion map, advice, reports, lint and what-ifs (docs/findings.md). Tools
go by two names: `name` is what the model called it, `key` its identity (`server/name`), which judgements go by.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.reviewing.wording import query_digest


class Found(NamedTuple):
    """A hit as recorded; `cut_by` is empty where the model was given it."""

    rank: int
    name: str
    server: str
    key: str
    score: float
    cut_by: str


@dataclass(frozen=True, slots=True)
class Search:
    """`seq` is the event of its call, by which pages link to the step; `answer` that of what it found.

    `keys` are those of the hits that the model was given, best first.
    """

    seq: int
    answer: int
    turn: int
    call_id: str
    query: str
    engine: str
    hits: tuple[Found, ...]
    keys: tuple[str, ...]
    matched: int
    searched: int | None
    scored: bool

    @property
    def words(self) -> str:
        return query_digest(self.query)

    @property
    def returned(self) -> tuple[Found, ...]:
        return tuple(hit for hit in self.hits if not hit.cut_by)

    def returned_hit(self, key: str) -> Found | None:
        return next((hit for hit in self.returned if hit.key == key), None)


@dataclass(frozen=True, slots=True)
class Load:
    """A call that brought tools (keys) into view; where a search loads what it finds, both have one `call_id`."""

    seq: int
    turn: int
    call_id: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool that is no meta-tool. `server` is empty where it never went out, `outcome` where none was recorded."""

    seq: int
    call_id: str
    turn: int
    name: str
    key: str
    server: str = ""
    in_view: bool = False
    outcome: Literal["", "ok", "failed", "refused"] = ""
    content: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """`searches` are in the order in which their answers came; `names` is what the model called each tool that it met, by key."""

    searches: tuple[Search, ...] = ()
    loads: tuple[Load, ...] = ()
    calls: tuple[Call, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def called(self) -> frozenset[str]:
        """The tools that were called with success: those that the run needed."""
        return frozenset(call.key for call in self.calls if call.outcome == "ok")

    def name_of(self, key: str) -> str:
        return self.names.get(key, key)

    def behind(self, step: Call | Load, key: str) -> Search | None:
        """The search that led to a call or a load of the tool: the last that returned it, of those that the model knew of."""
        known = (one for one in reversed(self.searches) if key in one.keys and _knew(step, one))
        return next(known, None)

    def led_by(self, search: Search) -> Iterator[Call]:
        """The calls that a search led to, also those that failed or were refused."""
        return (call for call in self.after(search) if self.behind(call, call.key) is search)

    def loaded_by(self, search: Search) -> frozenset[str]:
        """The tools that were loaded because of a search, by itself or by a later call."""
        return frozenset(tool for load in self.loads for tool in load.tools if self.behind(load, tool) is search)

    def after(self, search: Search) -> Iterator[Call]:
        """The calls that the model made knowing what the search found."""
        return (call for call in self.calls if _knew(call, search))


def _knew(step: Call | Load, search: Search) -> bool:
    """Whether the model had the answer when it made the step. What its provider searched, it has within the same answer."""
    if step.call_id == search.call_id or step.turn > search.turn:
        return True
    return search.engine == PROVIDER_SEARCH and step.turn == search.turn and step.seq > search.answer
