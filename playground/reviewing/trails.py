"""How a run came by its tools, turn by turn: what it searched, loaded and called, and what each prompt cost.

A tool goes by its identity (`server/name`). Made of a run's events alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    HitFound,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.runs.state import Recorded

KeyOf = Callable[[str, str], str]
"""From a server and the name under which a model calls its tool to the tool's identity."""
Outcome = Literal["", "ok", "failed", "refused"]
KINDS = (RunStarted, OfferMade, CallMade, SearchAnswered, ToolsLoaded, CallSent, CallFinished)
"""The events that a trail is made of."""


@dataclass(frozen=True, slots=True)
class Search:
    """`seq` is the event of the call that searched; `returned` are the tools that the model was given, best first."""

    seq: int
    turn: int
    call_id: str
    query: str
    returned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Load:
    """A call that brought tools into view; where a search loads what it finds, both have one `call_id`."""

    seq: int
    turn: int
    call_id: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool of the catalog. `outcome` is empty where none was recorded."""

    seq: int
    turn: int
    tool: str
    outcome: Outcome = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt. `tools` and `messages` are its tokens (estimated), `fresh` those of them not sent before in this form.

    `start` has the tokens of the tools that were in view from the start by the catalog's own list, `loaded` those of the
    tools that were loaded. `calls` are the ids of the calls of meta-tools that the model answered with, or None where it
    also did something else, or nothing.
    """

    number: int
    tools: int
    messages: int
    fresh: int
    start: Mapping[str, int] = field(default_factory=dict, hash=False)
    loaded: Mapping[str, int] = field(default_factory=dict, hash=False)
    calls: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """`hid`: some tools were hidden, and there was a way to find them."""

    turns: tuple[Turn, ...] = ()
    searches: tuple[Search, ...] = ()
    loads: tuple[Load, ...] = ()
    calls: tuple[Call, ...] = ()
    hid: bool = False

    @property
    def called(self) -> frozenset[str]:
        """The tools that were called with success: those that the run needed."""
        return frozenset(call.tool for call in self.calls if call.outcome == "ok")


def trail_of(events: Iterable[Recorded], key_of: KeyOf) -> Trail:
    """Events of other kinds than KINDS may be left out."""
    reader = _Reader(key_of)
    for recorded in events:
        reader.take(recorded)
    return reader.trail()


@dataclass
class _Reader:
    key_of: KeyOf
    tools_all: int = 0
    offers: list[OfferMade] = field(default_factory=list)
    made: dict[str, tuple[int, CallMade]] = field(default_factory=dict)
    searches: list[Search] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    servers: dict[str, str] = field(default_factory=dict)
    """Of each tool that was met, by name."""
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    def take(self, recorded: Recorded) -> None:
        match recorded.event:
            case RunStarted() as event:
                self.tools_all = event.tools_all
            case OfferMade() as event:
                self._meet(tool for tool in event.tools if tool.cause != "meta-tool")
                self.offers.append(event)
            case CallMade() as event:
                self.made[event.call_id] = recorded.seq, event
            case SearchAnswered() as event:
                self._meet(event.hits)
                returned = tuple(self._key(hit.name) for hit in event.hits if not hit.cut_by)
                self.searches.append(
                    Search(self._at(recorded, event.call_id), event.turn, event.call_id, event.query, returned)
                )
            case ToolsLoaded() as event:
                tools = tuple(map(self._key, event.names))
                self.loads.append(Load(self._at(recorded, event.call_id), event.turn, event.call_id, tools))
            case CallSent() as event:
                self.servers.setdefault(event.tool, event.server)
            case CallFinished() as event:
                self.outcomes[event.call_id] = event.outcome

    def trail(self) -> Trail:
        turns = tuple(map(self._turn, self.offers))
        found = {one.call_id for one in self.searches} | {one.call_id for one in self.loads}
        calls = tuple(
            Call(seq, event.turn, self._key(event.tool), self.outcomes.get(call_id, ""))
            for call_id, (seq, event) in self.made.items()
            if not event.meta and call_id not in found
        )
        return Trail(turns, tuple(self.searches), tuple(self.loads), calls, self._hid())

    def _hid(self) -> bool:
        if not self.offers:
            return False
        own = sum(tool.cause != "meta-tool" for tool in self.offers[0].tools)
        return own < self.tools_all and (own < len(self.offers[0].tools) or self.offers[0].handed > 0)

    def _turn(self, offer: OfferMade) -> Turn:
        whole = offer.tokens + offer.message_tokens
        start = {self._key(tool.name): tool.tokens for tool in offer.tools if tool.cause == "pre-discovered"}
        loaded = {self._key(tool.name): tool.tokens for tool in offer.tools if tool.cause == "loaded"}
        fresh = whole - min(whole, offer.prefix.tokens) if offer.prefix else whole
        of_turn = [event for _, event in self.made.values() if event.turn == offer.turn]
        calls = tuple(event.call_id for event in of_turn) if of_turn and all(event.meta for event in of_turn) else None
        return Turn(offer.turn, offer.tokens, offer.message_tokens, fresh, start, loaded, calls)

    def _meet(self, tools: Iterable[ToolInView | HitFound]) -> None:
        self.servers.update({tool.name: tool.server for tool in tools})

    def _key(self, name: str) -> str:
        return self.key_of(self.servers.get(name, ""), name)

    def _at(self, recorded: Recorded, call_id: str) -> int:
        return self.made[call_id][0] if call_id in self.made else recorded.seq


def latest_before(searches: Sequence[Search], seq: int, tool: str) -> Search | None:
    """The last search up to an event that returned the tool."""
    return next((one for one in reversed(searches) if one.seq <= seq and tool in one.returned), None)
