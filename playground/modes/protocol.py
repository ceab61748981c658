"""What a discovery mode is: an offer before each model call, and an answer to each call of a meta-tool."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from catalog.policy import ALLOW_ALL, Denial, Policy
from catalog.search.engine import Engine
from catalog.search.ranking import Ranking
from catalog.search.settings import TypedSettings
from catalog.tools import ToolPool, ToolSpec
from playground.modes.loaded_store import LoadedStore
from playground.transcript import ToolCall, Transcript

SearchPath = Literal["", "provider", "client"]
"""Who searches the deferred tools, in a mode that asks the model's provider first: the provider, or a meta-tool here."""


class CannotOfferError(Exception):
    """The mode's system would end the run here, as documented of it; the message is what it says."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a model is given for one call: the tools in view in order, those still hidden, and the system text.

    `reminder` is a message in the user's place, before the first of the conversation. `runs_hidden`: a hidden tool that
    the model calls by name is run. `denials` are tools that the policy kept from view. `aids` are tools of the run
    itself, not of the catalog, that are run when called: in view where `tools` holds them too, after the meta-tools. On
    the path `provider` the deferred tools are handed over with the call, hidden from the model until its provider's
    search loads them.
    """

    tools: tuple[ToolSpec, ...]
    deferred: tuple[ToolSpec, ...]
    instructions: str
    reminder: str = ""
    runs_hidden: bool = False
    denials: tuple[Denial, ...] = ()
    aids: tuple[ToolSpec, ...] = ()
    path: SearchPath = ""

    @property
    def handed(self) -> tuple[ToolSpec, ...]:
        return self.deferred if self.path == "provider" else ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a meta-tool says: text for the model, the tools that it loads, and the ranking behind it, if it searched.

    `denials` are tools that the policy kept out of the answer.
    """

    content: str
    loaded: tuple[str, ...] = ()
    ranking: Ranking | None = None
    is_error: bool = False
    denials: tuple[Denial, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """What a mode knows of the conversation beside its messages: its thread, who may see what in it, what the process
    remembers of threads, and how many deferred tools the model's provider can search by itself (0: it cannot)."""

    thread: str = ""
    policy: Policy = ALLOW_ALL
    store: LoadedStore | None = None
    most_handed: int = 0


ALONE = Session()
"""A conversation without a thread, in which everything is allowed."""


class DiscoveryMode(Protocol):
    """How a model finds tools that it was not shown. What is in view follows from pool and transcript.

    Only Mastra's in-memory store keeps more, as its system does, in an object of its own that outlives the run.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    """The published system that it reproduces."""
    meta_tools: ClassVar[tuple[ToolSpec, ...]]
    default_engine: ClassVar[str]
    Options: ClassVar[type[TypedSettings]]

    def __init__(self, pool: ToolPool, engine: Engine, options: Any = ..., session: Session = ALONE) -> None:
        """`options` are of the kind `Options`; left out, they are the defaults."""

    def offer(self, transcript: Transcript) -> Offer:
        """Raises CannotOfferError."""
        ...

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        """The answer to a call of one of the meta-tools, `transcript` being everything before it.

        A model's mistake is an answer, never an exception.
        """
        ...
