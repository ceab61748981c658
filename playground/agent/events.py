"""What happens in a run, as a stream: one frozen dataclass a kind. Live page, replay, review and exports all read these.

`unknown`, where an event has it, is empty in a run that was recorded here. In one that was imported from another system's
log it names the fields, or what else of the event (`text`, `at`), that the log does not have: what stands there then means nothing.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal
from uuid import UUID

from catalog.policy import Denial
from playground.agent.person_events import CallDecided, CallHeld
from playground.modes.protocol import SearchPath

Outcome = Literal["completed", "stopped", "failed", "limit", "interrupted"]
Cause = Literal["meta-tool", "pre-discovered", "special category", "loaded"]


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What the run may use up: turns, calls in all, tokens of prompts and answers in all, seconds, and dollars, if that is set."""

    turns: int
    calls: int
    tokens: int
    seconds: float
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class RunStarted:
    """Says what the run is made of. `tokens_all` is the estimated price of sending every tool of the catalog.

    `context` is what was said of the request, for the catalog's policy. `history` counts the earlier messages of the
    conversation that it goes on from; without a `task` it only goes on. `limits` is None in records of releases before it.
    `version` is the number of the catalog's version, or "draft"; empty in records of releases before versions.
    `edited` names the calls of the history whose results a person changed before the model was asked.
    """

    kind: ClassVar[str] = "run_started"
    task: str | None
    catalog: str
    mode: str
    engine: str
    model: str
    scripted: bool
    tools_all: int
    tokens_all: int
    context: dict[str, Any] = field(default_factory=dict, hash=False)
    history: int = 0
    limits: RunLimits | None = None
    unknown: tuple[str, ...] = ()
    version: str = ""
    edited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolInView:
    """A tool of an offer, why it is there (`call_id` is the call that loaded it), and its estimated tokens."""

    name: str
    server: str
    cause: Cause
    tokens: int
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class PromptPrefix:
    """How far a prompt begins as the run's last one, in the order in which providers cache: tools, system text, messages.

    `tokens` (estimated) lie before the first difference. `broke` says what is no longer as it was sent before, and is
    empty while that is only added to. `appended` counts tools put after those sent before: what follows them is read
    anew, though nothing broke.
    """

    tokens: int
    appended: int = 0
    broke: str = ""


@dataclass(frozen=True, slots=True)
class OfferMade:
    """The visible tool set for one model call, against the one before. The model is asked right after.

    `tokens` and `message_tokens` are the estimates of all that is sent, tools and messages; `prefix_kept` is false where
    something sent before is no longer sent as it was, and `prefix` says more (None in records of releases before it).
    `path` says who searches, in a mode that asks the provider first; `handed` is how many tools went to it hidden.
    """

    kind: ClassVar[str] = "offer_made"
    turn: int
    tools: tuple[ToolInView, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    tokens: int
    prefix_kept: bool
    path: SearchPath = ""
    handed: int = 0
    message_tokens: int = 0
    prefix: PromptPrefix | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRetried:
    """The endpoint refused for the moment; the call goes out again after `wait` seconds."""

    kind: ClassVar[str] = "model_retried"
    turn: int
    attempt: int
    reason: str
    wait: float


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """A piece of the answer's text. Pieces that follow each other may be joined."""

    kind: ClassVar[str] = "text_streamed"
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class CallMade:
    """The model asked for a call; `arguments` is the JSON text as it wrote it."""

    kind: ClassVar[str] = "call_made"
    turn: int
    call_id: str
    tool: str
    arguments: str
    meta: bool
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """The model's answer is whole. Tokens are the provider's own figures, None where it gave none.

    `cost` is in dollars, None where no price is known; `cost_all` estimates the same call with every tool of the catalog.
    """

    kind: ClassVar[str] = "model_answered"
    turn: int
    finish_reason: str
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost: float | None = None
    cost_all: float | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HitFound:
    """One hit of a search, as recorded."""

    rank: int
    name: str
    server: str
    score: float
    cut_by: str = ""


@dataclass(frozen=True, slots=True)
class SearchAnswered:
    """A meta-tool, or the model's provider, searched. At most 50 hits are recorded; `matched` counts all."""

    kind: ClassVar[str] = "search_answered"
    turn: int
    call_id: str
    query: str
    engine: str
    hits: tuple[HitFound, ...]
    matched: int
    searched: int
    scored: bool
    notes: tuple[str, ...] = ()
    problem: str = ""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolsLoaded:
    """A call brought tools into view, from the next model call on."""

    kind: ClassVar[str] = "tools_loaded"
    turn: int
    call_id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolsDenied:
    """The policy kept tools from an offer (`call_id` is empty), from a meta-tool's answer, or from being called.

    At most 50 are recorded; `total` counts all.
    """

    kind: ClassVar[str] = "tools_denied"
    turn: int
    call_id: str
    denials: tuple[Denial, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CallSent:
    """The call goes out. Recorded before it is sent: one without its CallFinished has an unknown outcome.

    `nested` is the id of the run that a call of an agent is, if it comes to that; None for any other tool.
    """

    kind: ClassVar[str] = "call_sent"
    turn: int
    call_id: str
    tool: str
    server: str
    simulated: bool
    nested: UUID | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One link of the execution chain (S-11), what it said of a call, and, where it ran it, on what."""

    link: str
    said: Literal["not here", "runs it"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CallRouted:
    """Which links were asked to run the call, in order; the last one ran it, or refused to.

    `start_seconds` is what starting or connecting took, None where nothing had to be; `call_seconds` is the call alone.
    """

    kind: ClassVar[str] = "call_routed"
    turn: int
    call_id: str
    hops: tuple[Hop, ...]
    call_seconds: float
    start_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class KeptOutput:
    """An output that was put into a file of the run: its bytes, its tokens (estimated), and how many bytes the model saw."""

    file: str
    size: int
    tokens: int
    shown: int


@dataclass(frozen=True, slots=True)
class CallFinished:
    """What the model is told. `refused`: not sent at all, as the tool is not in view, the arguments are broken, or by a person.

    Where the output was too large for the prompt, `content` is what took its place and `kept` says where it is.
    """

    kind: ClassVar[str] = "call_finished"
    turn: int
    call_id: str
    tool: str
    outcome: Literal["ok", "failed", "refused"]
    content: str
    seconds: float
    simulated: bool = False
    kept: KeptOutput | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The last event of every run. `reason` is a sentence; empty when completed."""

    kind: ClassVar[str] = "run_ended"
    outcome: Outcome
    reason: str = ""


Event = (
    RunStarted
    | OfferMade
    | ModelRetried
    | TextStreamed
    | CallMade
    | ModelAnswered
    | SearchAnswered
    | ToolsLoaded
    | ToolsDenied
    | CallHeld
    | CallDecided
    | CallSent
    | CallRouted
    | CallFinished
    | RunEnded
)

EVENTS: dict[str, type[Event]] = {
    "run_started": RunStarted,
    "offer_made": OfferMade,
    "model_retried": ModelRetried,
    "text_streamed": TextStreamed,
    "call_made": CallMade,
    "model_answered": ModelAnswered,
    "search_answered": SearchAnswered,
    "tools_loaded": ToolsLoaded,
    "tools_denied": ToolsDenied,
    "call_held": CallHeld,
    "call_decided": CallDecided,
    "call_sent": CallSent,
    "call_routed": CallRouted,
    "call_finished": CallFinished,
    "run_ended": RunEnded,
}
