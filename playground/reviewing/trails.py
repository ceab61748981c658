"""How a run came by its tools with what each prompt cost, turn by turn. Made of a run's events alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolsLoaded,
)
from playground.reviewing.reading_steps import KeyOf, StepsReader
from playground.reviewing.steps import Steps
from playground.runs.state import Recorded

KINDS = (RunStarted, OfferMade, CallMade, SearchAnswered, ToolsLoaded, CallSent, CallFinished)
"""The events that a trail is made of."""


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
class Trail(Steps):
    """`hid`: some tools were hidden, and there was a way to find them."""

    turns: tuple[Turn, ...] = ()
    hid: bool = False


def trail_of(events: Iterable[Recorded], key_of: KeyOf) -> Trail:
    """Events of other kinds than KINDS may be left out."""
    reader = _Reader(key_of)
    for recorded in events:
        reader.take(recorded.seq, recorded.event)
    return reader.trail()


@dataclass
class _Reader(StepsReader):
    tools_all: int = 0
    offers: list[OfferMade] = field(default_factory=list)

    def take(self, seq: int, event: Event) -> None:
        super().take(seq, event)
        match event:
            case RunStarted():
                self.tools_all = event.tools_all
            case OfferMade():
                self.offers.append(event)

    def trail(self) -> Trail:
        steps, turns = self.steps(), tuple(map(self._turn, self.offers))
        return Trail(steps.searches, steps.loads, steps.calls, steps.names, turns, self._hid())

    def _hid(self) -> bool:
        if not self.offers:
            return False
        own = sum(tool.cause != "meta-tool" for tool in self.offers[0].tools)
        return own < self.tools_all and (own < len(self.offers[0].tools) or self.offers[0].handed > 0)

    def _turn(self, offer: OfferMade) -> Turn:
        whole = offer.tokens + offer.message_tokens
        start = {self.keys[tool.name]: tool.tokens for tool in offer.tools if tool.cause == "pre-discovered"}
        loaded = {self.keys[tool.name]: tool.tokens for tool in offer.tools if tool.cause == "loaded"}
        fresh = whole - min(whole, offer.prefix.tokens) if offer.prefix else whole
        of_turn = [event for _, event in self.made.values() if event.turn == offer.turn]
        calls = tuple(event.call_id for event in of_turn) if of_turn and all(event.meta for event in of_turn) else None
        return Turn(offer.turn, offer.tokens, offer.message_tokens, fresh, start, loaded, calls)
