"""What a run came to, for setting it beside another: tools with when each came into view, searches, calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from playground.agent.events import CallFinished, CallMade, OfferMade, SearchAnswered, ToolsLoaded
from playground.runs.state import Recorded


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of the catalog's tools. `seq` is its event, 0 for one that is only expected.

    `arguments` is JSON text as the model wrote it, None where any will do. `outcome` is empty while there is none.
    """

    tool: str
    arguments: str | None = None
    seq: int = 0
    turn: int = 0
    outcome: Literal["", "ok", "failed", "refused"] = ""


@dataclass(frozen=True, slots=True)
class Search:
    """`hits` are the names that the model was given, in their order; `seq` is its event."""

    seq: int
    turn: int
    query: str
    engine: str
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """`in_view` and `loaded` hold the turn in which a tool first was; `tokens` are those of the tools, turn by turn."""

    in_view: Mapping[str, int] = field(default_factory=dict)
    loaded: Mapping[str, int] = field(default_factory=dict)
    searches: tuple[Search, ...] = ()
    calls: tuple[Call, ...] = ()
    tokens: tuple[int, ...] = ()

    @property
    def turns(self) -> int:
        return len(self.tokens)

    @property
    def tokens_of_all_turns(self) -> int:
        return sum(self.tokens)

    def best_rank(self, tool: str) -> int | None:
        """Its best place in any search, from 1; None where no search gave it."""
        return min((one.hits.index(tool) + 1 for one in self.searches if tool in one.hits), default=None)

    def times_called(self, tool: str) -> int:
        return sum(call.tool == tool for call in self.calls)

    @property
    def tools(self) -> dict[str, None]:
        """Every tool that was in view, found, loaded or called, in the order met."""
        found = (name for search in self.searches for name in search.hits)
        return dict.fromkeys((*self.in_view, *found, *self.loaded, *(call.tool for call in self.calls)))


def outline_of(events: Iterable[Recorded]) -> Outline:
    in_view, loaded = dict[str, int](), dict[str, int]()
    searches, calls, tokens = list[Search](), dict[str, Call](), list[int]()
    for seq, _, event in events:
        match event:
            case OfferMade():
                tokens.append(event.tokens)
                own = (tool.name for tool in event.tools if tool.cause != "meta-tool")
                for name in own:
                    in_view.setdefault(name, event.turn)
            case ToolsLoaded():
                for name in event.names:
                    loaded.setdefault(name, event.turn)
            case SearchAnswered():
                given = tuple(hit.name for hit in event.hits if not hit.cut_by)
                searches.append(Search(seq, event.turn, event.query, event.engine, given))
            case CallMade() if not event.meta:
                calls[event.call_id] = Call(event.tool, event.arguments, seq, event.turn)
            case CallFinished() if event.call_id in calls:
                calls[event.call_id] = replace(calls[event.call_id], outcome=event.outcome)
    return Outline(in_view, loaded, tuple(searches), tuple(calls.values()), tuple(tokens))
