"""What a discovery mode is: an offer before each model call, and an answer to each call of a meta-tool."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from catalog.search.engine import Engine
from catalog.search.ranking import Ranking
from catalog.tools import ToolPool, ToolSpec
from playground.transcript import ToolCall, Transcript

Fidelity = Literal["documented", "implemented"]


@dataclass(frozen=True, slots=True)
class Offer:
    """What a model is given for one call: the tools in view in order, those still hidden, and the system text."""

    tools: tuple[ToolSpec, ...]
    deferred: tuple[ToolSpec, ...]
    instructions: str
    reminder: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a meta-tool says: text for the model, the tools that it loads, and the ranking behind it, if it searched."""

    content: str
    loaded: tuple[str, ...] = ()
    ranking: Ranking | None = None
    is_error: bool = False


class DiscoveryMode(Protocol):
    """How a model finds tools that it was not shown. Holds no state: what is in view follows from pool and transcript."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    """The published system that it reproduces."""
    meta_tools: ClassVar[tuple[ToolSpec, ...]]
    default_engine: ClassVar[str]

    def __init__(self, pool: ToolPool, engine: Engine) -> None: ...

    def offer(self, transcript: Transcript) -> Offer: ...

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        """The answer to a call of one of the meta-tools, `transcript` being everything before it.

        A model's mistake is an answer, never an exception.
        """
        ...
