"""What a recorded run shows of how it found its tools, as the rules and the queue read it. Made of its events alone.

Tools go by two names: `name` is what the model called it, `key` its identity (`server/name`), which judgements go by.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    HitFound,
    OfferMade,
    Outcome,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsDenied,
    ToolsLoaded,
)
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.reviewing.wording import query_digest
from playground.runs.state import Recorded

KeyOf = Callable[[str, str], str]
"""From a server and the name under which a model calls its tool to the tool's key."""


@dataclass(frozen=True, slots=True)
class Found:
    """A hit as recorded; `cut_by` is empty where the model was given it."""

    rank: int
    name: str
    key: str
    score: float
    cut_by: str


@dataclass(frozen=True, slots=True)
class Search:
    """`seq` is the event of its call, by which the page links to the step; `answer` that of what it found."""

    seq: int
    answer: int
    turn: int
    query: str
    words: str
    engine: str
    hits: tuple[Found, ...]
    matched: int
    searched: int | None
    scored: bool
    loaded: frozenset[str] = frozenset()
    """Keys of its hits that a call loaded after it, or with it."""

    @property
    def returned(self) -> tuple[Found, ...]:
        return tuple(hit for hit in self.hits if not hit.cut_by)

    @property
    def by_provider(self) -> bool:
        return self.engine == PROVIDER_SEARCH

    def returned_hit(self, key: str) -> Found | None:
        return next((hit for hit in self.returned if hit.key == key), None)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool that is no meta-tool. `outcome` is empty where none was recorded."""

    seq: int
    call_id: str
    turn: int
    name: str
    key: str
    in_view: bool
    outcome: Literal["", "ok", "failed", "refused"] = ""
    content: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """The catalog's own tools in view of one turn."""

    seq: int
    turn: int
    tools: tuple[ToolInView, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """`unknown` names what the log of an imported run lacks: of that nothing is said. `outcome` is empty while a run goes on."""

    task: str = ""
    searches: tuple[Search, ...] = ()
    calls: tuple[Call, ...] = ()
    offers: tuple[Offer, ...] = ()
    loads: Mapping[str, int] = field(default_factory=dict)
    """Event of each call that loaded tools, by its id."""
    outcome: Outcome | Literal[""] = ""
    unknown: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    """What the model called each tool that it met, by key."""

    def name_of(self, key: str) -> str:
        return self.names.get(key, key)

    def after(self, search: Search) -> Iterator[Call]:
        """The calls that the model made knowing what the search found."""
        for call in self.calls:
            if call.seq > search.seq and (call.turn > search.turn or search.by_provider):
                yield call


def evidence_of(events: Iterable[Recorded], key_of: KeyOf) -> Evidence:
    reader = _Reader(key_of)
    for recorded in events:
        reader.take(recorded)
    return reader.evidence()


@dataclass
class _Reader:
    key_of: KeyOf
    task: str = ""
    outcome: Outcome | Literal[""] = ""
    searches: list[Search] = field(default_factory=list)
    calls: dict[str, Call] = field(default_factory=dict)
    offers: list[Offer] = field(default_factory=list)
    loads: dict[str, int] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    made: dict[str, CallMade] = field(default_factory=dict)
    made_at: dict[str, int] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    """Key of each tool that was met, by name."""

    def take(self, recorded: Recorded) -> None:
        seq, event = recorded.seq, recorded.event
        match event:
            case RunStarted():
                self.task, self.outcome = event.task or "", ""
            case OfferMade():
                self.unknown.update(event.unknown)
                own = tuple(tool for tool in event.tools if tool.cause != "meta-tool")
                for tool in own:
                    self._met(tool.server, tool.name)
                self.offers.append(Offer(seq, event.turn, own))
            case CallMade():
                self._made(seq, event)
            case SearchAnswered():
                self._searched(seq, event)
            case ToolsLoaded():
                self.loads[event.call_id] = self.made_at.get(event.call_id, seq)
                self._loaded(event.names)
            case ToolsDenied(call_id=call_id) if call_id in self.calls:
                self.calls[call_id] = replace(self.calls[call_id], denied=True)
            case CallSent() if event.call_id in self.calls:
                key = self._met(event.server, event.tool)
                self.calls[event.call_id] = replace(self.calls[event.call_id], key=key)
            case CallFinished() if event.call_id in self.calls:
                done = replace(self.calls[event.call_id], outcome=event.outcome, content=event.content)
                self.calls[event.call_id] = done
            case RunEnded():
                self.outcome = event.outcome

    def evidence(self) -> Evidence:
        calls = tuple(replace(call, key=call.key or self.keys.get(call.name, "")) for call in self.calls.values())
        names = {key: name for name, key in self.keys.items()}
        unknown = frozenset(self.unknown)
        searches, offers = tuple(self.searches), tuple(self.offers)
        return Evidence(self.task, searches, calls, offers, self.loads, self.outcome, unknown, names)

    def _met(self, server: str, name: str) -> str:
        if name not in self.keys:
            self.keys[name] = self.key_of(server, name)
        return self.keys[name]

    def _made(self, seq: int, event: CallMade) -> None:
        self.made_at[event.call_id] = seq
        if event.meta:
            return
        in_view = bool(self.offers) and any(tool.name == event.tool for tool in self.offers[-1].tools)
        key = self.keys.get(event.tool, "")
        self.calls[event.call_id] = Call(seq, event.call_id, event.turn, event.tool, key, in_view)

    def _searched(self, seq: int, event: SearchAnswered) -> None:
        self.unknown.update(event.unknown)
        hits = tuple(self._found(hit) for hit in event.hits)
        searched = None if "searched" in event.unknown else event.searched
        at, words = self.made_at.get(event.call_id, seq), query_digest(event.query)
        found = (event.query, words, event.engine, hits, event.matched, searched, event.scored)
        self.searches.append(Search(at, seq, event.turn, *found))
        # A model may call meta-tools under the name of a tool: a call that searched is none of a tool.
        self.calls.pop(event.call_id, None)

    def _found(self, hit: HitFound) -> Found:
        return Found(hit.rank, hit.name, self._met(hit.server, hit.name), hit.score, hit.cut_by)

    def _loaded(self, names: tuple[str, ...]) -> None:
        for place, search in enumerate(self.searches):
            own = {hit.key for hit in search.returned if hit.name in names}
            if own - search.loaded:
                self.searches[place] = replace(search, loaded=search.loaded | own)
