"""Reading the steps of a run off its events. Whoever counts many runs may leave out all but searches and calls that were sent."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    OfferMade,
    SearchAnswered,
    ToolInView,
    ToolsDenied,
    ToolsLoaded,
)
from playground.reviewing.steps import Call, Found, Load, Search, Steps

KeyOf = Callable[[str, str], str]
"""From a server and the name under which a model calls its tool to the tool's key."""


@dataclass
class StepsReader:
    """Takes the events in their order, each with its number."""

    key_of: KeyOf
    searches: list[Search] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    calls: dict[str, Call] = field(default_factory=dict)
    made: dict[str, tuple[int, CallMade]] = field(default_factory=dict)
    """Every call by its id, those of meta-tools too, with the number of its event."""
    keys: dict[str, str] = field(default_factory=dict)
    """Key of each tool that was met, by name."""
    own: tuple[ToolInView, ...] = ()
    """The catalog's own tools in view of the turn."""

    def take(self, seq: int, event: Event) -> None:
        match event:
            case OfferMade():
                self.own = tuple(tool for tool in event.tools if tool.cause != "meta-tool")
                for tool in self.own:
                    self.meet(tool.server, tool.name)
            case CallMade():
                self.made[event.call_id] = seq, event
                if not event.meta:
                    self._call(seq, event.call_id, event.turn, event.tool)
            case SearchAnswered():
                self._searched(seq, event)
            case ToolsLoaded():
                tools = tuple(map(self._key, event.names))
                self.loads.append(Load(self._at(seq, event.call_id), event.turn, event.call_id, tools))
                self.calls.pop(event.call_id, None)
            case CallSent():
                key = self.meet(event.server, event.tool)
                if event.call_id not in self.made:
                    self._call(seq, event.call_id, event.turn, event.tool)
                if event.call_id in self.calls:
                    self.calls[event.call_id] = replace(self.calls[event.call_id], key=key, server=event.server)
            case ToolsDenied(call_id=call_id) if call_id in self.calls:
                self.calls[call_id] = replace(self.calls[call_id], denied=True)
            case CallFinished() if event.call_id in self.calls:
                done = replace(self.calls[event.call_id], outcome=event.outcome, content=event.content)
                self.calls[event.call_id] = done

    def steps(self) -> Steps:
        calls = tuple(call if call.key else replace(call, key=self._key(call.name)) for call in self.calls.values())
        names = {key: name for name, key in self.keys.items()}
        return Steps(tuple(self.searches), tuple(self.loads), calls, names)

    def meet(self, server: str, name: str) -> str:
        if name not in self.keys:
            self.keys[name] = self.key_of(server, name)
        return self.keys[name]

    def _key(self, name: str) -> str:
        return self.keys.get(name) or self.key_of("", name)

    def _at(self, seq: int, call_id: str) -> int:
        return self.made[call_id][0] if call_id in self.made else seq

    def _call(self, seq: int, call_id: str, turn: int, name: str) -> None:
        in_view = any(tool.name == name for tool in self.own)
        self.calls[call_id] = Call(seq, call_id, turn, name, self.keys.get(name, ""), in_view=in_view)

    def _searched(self, seq: int, event: SearchAnswered) -> None:
        hits = tuple(
            Found(hit.rank, hit.name, hit.server, self.meet(hit.server, hit.name), hit.score, hit.cut_by)
            for hit in event.hits
        )
        keys = tuple(hit.key for hit in hits if not hit.cut_by)
        searched = None if "searched" in event.unknown else event.searched
        found = (event.query, event.engine, hits, keys, event.matched, searched, event.scored)
        self.searches.append(Search(self._at(seq, event.call_id), seq, event.turn, event.call_id, *found))
        # A model may call meta-tools under the name of a tool: a call that searched is none of a tool.
        self.calls.pop(event.call_id, None)
