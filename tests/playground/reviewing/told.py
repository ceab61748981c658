"""Runs of an agent that searches for what it does not see, then calls it: as events, with tools of the server `team`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from catalog.models import Catalog
from catalog.redaction import Redactor
from playground.agent.events import (
    CallFinished,
    CallMade,
    CallSent,
    Event,
    HitFound,
    OfferMade,
    PromptPrefix,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.models import Run, Thread
from playground.reviewing.pinned_runs import PinnedRun
from playground.reviewing.trails import Trail, trail_of
from playground.runs.appending import Addition, append
from tests.playground.runs.recordings import recorded

META, FIRST_MESSAGES, SEARCH_MESSAGES, CALL_MESSAGES = 100, 50, 30, 40
"""Tokens: of the meta-tool, of the first prompt's messages, and of those that a turn of each kind leaves to later prompts."""


@dataclass(frozen=True)
class Step:
    """The agent needs some tools at once; a search for them brings others besides."""

    needs: Sequence[str]
    besides: Sequence[str] = ()


@dataclass
class Told:
    """Events as they come; `prices` are the tokens of tools. Searches load what they find."""

    prices: dict[str, int]
    pins: Sequence[str] = ()
    tools_all: int = 99
    server: str = "team"
    events: list[Event] = field(default_factory=list)
    loaded: dict[str, str] = field(default_factory=dict)
    messages: int = FIRST_MESSAGES
    turn: int = 0
    before: int = 0

    def __post_init__(self) -> None:
        self.events.append(
            RunStarted("Do it.", "Team agent", "eino", "bm25f", "demo/scripted", True, self.tools_all, 9_999)
        )

    def offer(self) -> None:
        self.turn += 1
        start = [ToolInView(name, self.server, "pre-discovered", self.prices[name]) for name in self.pins]
        found = [ToolInView(name, self.server, "loaded", self.prices[name], by) for name, by in self.loaded.items()]
        tools = (ToolInView("tool_search", "", "meta-tool", META), *start, *found)
        tokens = sum(tool.tokens for tool in tools)
        prefix = PromptPrefix(self.before)
        self.events.append(OfferMade(self.turn, tools, (), (), tokens, True, "", 0, self.messages, prefix))
        self.before = tokens + self.messages

    def search(self, query: str, *returned: str, loads: bool = True) -> None:
        """A turn of its own."""
        self.offer()
        call = f"s{self.turn}"
        hits = tuple(HitFound(rank, name, self.server, 9.0 - rank) for rank, name in enumerate(returned, start=1))
        self.events += [
            CallMade(self.turn, call, "tool_search", "{}", True),
            SearchAnswered(self.turn, call, query, "bm25f", hits, len(hits), 99, True),
            *([ToolsLoaded(self.turn, call, returned)] if loads else []),
            CallFinished(self.turn, call, "tool_search", "ok", "…", 0.1),
        ]
        if loads:
            self.loaded |= {name: call for name in returned if name not in (*self.loaded, *self.pins)}
        self.messages += SEARCH_MESSAGES

    def load(self, *names: str) -> None:
        """A turn of its own."""
        self.offer()
        call = f"l{self.turn}"
        self.events += [
            CallMade(self.turn, call, "add_tool", "{}", True),
            ToolsLoaded(self.turn, call, names),
            CallFinished(self.turn, call, "add_tool", "ok", "…", 0.1),
        ]
        self.loaded |= dict.fromkeys(names, call)
        self.messages += SEARCH_MESSAGES

    def call(self, *names: str, outcome: str = "ok") -> None:
        """A turn of its own."""
        self.offer()
        for name in names:
            call = f"c{self.turn}-{name}"
            self.events += [
                CallMade(self.turn, call, name, "{}", False),
                CallSent(self.turn, call, name, self.server, True),
                CallFinished(self.turn, call, name, outcome, "…", 0.1),  # type: ignore[arg-type]
            ]
        self.messages += CALL_MESSAGES

    def end(self) -> list[Event]:
        """With a last turn that only says something."""
        self.offer()
        return [*self.events, RunEnded("completed")]


def played(steps: Iterable[Step], prices: dict[str, int], pins: Sequence[str] = ()) -> Told:
    """The run of an agent that takes these steps with these tools in view from the start."""
    told = Told(prices, pins)
    for step in steps:
        if any(name not in (*told.pins, *told.loaded) for name in step.needs):
            told.search(" ".join(step.needs), *step.needs, *step.besides)
        told.call(*step.needs)
    return told


def trail(events: Sequence[Event]) -> Trail:
    return trail_of(recorded(events), lambda server, name: f"{server}/{name}")


def pinned_run(events: Sequence[Event]) -> PinnedRun:
    return PinnedRun.of(trail(events))


def tokens_of(events: Sequence[Event]) -> int:
    """Of all prompts."""
    return sum(event.tokens + event.message_tokens for event in events if isinstance(event, OfferMade))


def record(catalog: Catalog, events: Sequence[Event], task: str = "Do it.") -> Run:
    run = Run.objects.create(thread=Thread.objects.create(title=task), task=task, catalog=catalog)
    append(Addition(run.pk, [(timezone.now(), event) for event in events], Redactor()))
    return run
