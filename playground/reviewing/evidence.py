"""What a recorded run shows of how it found its tools, as the rules and the queue read it. Made of its events alone."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from playground.agent.events import Event, OfferMade, Outcome, RunEnded, RunStarted, SearchAnswered, ToolInView
from playground.reviewing.reading_steps import KeyOf, StepsReader
from playground.reviewing.steps import Steps
from playground.runs.state import Recorded


@dataclass(frozen=True, slots=True)
class Offer:
    """The catalog's own tools in view of one turn."""

    seq: int
    turn: int
    tools: tuple[ToolInView, ...]


@dataclass(frozen=True, slots=True)
class Evidence(Steps):
    """`unknown` names what the log of an imported run lacks: of that nothing is said. `outcome` is empty while a run goes on."""

    task: str = ""
    offers: tuple[Offer, ...] = ()
    outcome: Outcome | Literal[""] = ""
    unknown: frozenset[str] = frozenset()


def evidence_of(events: Iterable[Recorded], key_of: KeyOf) -> Evidence:
    reader = _Reader(key_of)
    for recorded in events:
        reader.take(recorded.seq, recorded.event)
    return reader.evidence()


@dataclass
class _Reader(StepsReader):
    task: str = ""
    outcome: Outcome | Literal[""] = ""
    offers: list[Offer] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)

    def take(self, seq: int, event: Event) -> None:
        super().take(seq, event)
        match event:
            case RunStarted():
                self.task, self.outcome = event.task or "", ""
            case OfferMade():
                self.unknown.update(event.unknown)
                self.offers.append(Offer(seq, event.turn, self.own))
            case SearchAnswered():
                self.unknown.update(event.unknown)
            case RunEnded():
                self.outcome = event.outcome

    def evidence(self) -> Evidence:
        steps = self.steps()
        more = self.task, tuple(self.offers), self.outcome, frozenset(self.unknown)
        return Evidence(steps.searches, steps.loads, steps.calls, steps.names, *more)
