"""A scenario: what a model answers turn by turn, over HTTP, and what it is shown and told in return."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalog.search import ENGINES
from catalog.search.engine import Corpus
from catalog.search.index import build_index
from catalog.search.settings import read_settings
from catalog.tools import ToolPool
from playground.agent.events import CallFinished, Event, OfferMade, RunEnded, TextStreamed, ToolsLoaded
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.loop import run_agent
from playground.agent.scripted_model import Reply, WantedCall
from playground.agent.tool_runner import ToolRunner
from playground.modes import MODES
from playground.modes.protocol import ALONE, DiscoveryMode, Session
from playground.transcript import Transcript
from tests.model_endpoint import ModelEndpoint
from tests.playground.agent.doubles import PlayedTools, collect


@dataclass(frozen=True)
class TurnSeen:
    """One turn: the names in view in order, what each call was told and how it ended, and what came into view by it."""

    view: tuple[str, ...]
    prefix_kept: bool
    told: tuple[str, ...]
    outcomes: tuple[str, ...]
    loaded: tuple[str, ...]

    @property
    def answer(self) -> Any:
        """The JSON of its one call's answer."""
        (told,) = self.told
        return json.loads(told)


@dataclass(frozen=True)
class Played:
    """A scenario as it went; `asked` are the bodies that the endpoint was sent."""

    turns: tuple[TurnSeen, ...]
    asked: tuple[Mapping[str, Any], ...]
    text: str
    ended: RunEnded

    def sent_tools(self, turn: int) -> list[str]:
        return [tool["function"]["name"] for tool in self.asked[turn - 1]["tools"]]


def mode_of(slug: str, pool: ToolPool, folder: Path, session: Session = ALONE, **options: Any) -> DiscoveryMode:
    """The mode with its own system's engine."""
    kind = MODES[slug]
    build_index(folder, pool.searchable)
    engine = ENGINES[kind.default_engine](Corpus(pool.searchable, folder))
    return kind(pool, engine, read_settings(kind.Options, options), session)


def calls(*wanted: tuple[str, Mapping[str, Any]], text: str = "") -> Reply:
    return Reply(text, tuple(WantedCall(name, arguments) for name, arguments in wanted))


def play(
    endpoint: ModelEndpoint,
    mode: DiscoveryMode,
    *plan: Reply,
    tools: ToolRunner | None = None,
    history: Transcript = (),
    task: str = "Do it",
) -> Played:
    """The plan's last answer must be text: it ends the run. `history` may hold no answer of a model."""
    endpoint.plan, before = plan, len(endpoint.requests)
    model = LiteLLMModel("openai/some-model", endpoint.url("planned"))
    run = run_agent(mode, model, tools or PlayedTools(), task, catalog="c", engine="e", history=history)
    events = collect(run)
    asked = tuple(body for _, _, body in endpoint.requests[before:])
    return read_events(events, asked)


def read_events(events: list[Event], asked: tuple[Mapping[str, Any], ...] = ()) -> Played:
    offers = [event for event in events if isinstance(event, OfferMade)]
    text = "".join(event.text for event in events if isinstance(event, TextStreamed))
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    return Played(tuple(_turn(offer, events) for offer in offers), asked, text, ended)


def _turn(offer: OfferMade, events: list[Event]) -> TurnSeen:
    finished = [event for event in events if isinstance(event, CallFinished) and event.turn == offer.turn]
    loads = [event for event in events if isinstance(event, ToolsLoaded) and event.turn == offer.turn]
    return TurnSeen(
        tuple(tool.name for tool in offer.tools),
        offer.prefix_kept,
        tuple(call.content for call in finished),
        tuple(call.outcome for call in finished),
        tuple(name for load in loads for name in load.names),
    )
