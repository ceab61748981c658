"""The steps of a run as the chat column tells them: each made by one event, completed by later ones."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal
from uuid import UUID

from catalog.policy import Denial
from playground.agent.events import CallRouted, KeptOutput, Outcome, PromptPrefix, SearchAnswered
from playground.agent.person_events import CallDecided, CallHeld
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.modes.protocol import SearchPath

CallState = Literal["asked", "held", "sent", "ok", "failed", "refused", "unknown", "not sent"]
"""`asked`: the model wrote it. `held`: it waits for a person. `unknown`: it went out and no answer was recorded before the run ended."""


@dataclass(frozen=True, slots=True)
class Step:
    """`seq` is that of the event that made it, `at` the seconds since the run began, None where a log does not tell."""

    kind: ClassVar[str]
    seq: int
    at: float | None


@dataclass(frozen=True, slots=True)
class Asked(Step):
    """What the person asked for, None where the run only goes on; `history` counts the messages before, `edited` those among
    them that are results which a person changed."""

    kind: ClassVar[str] = "asked"
    text: str | None
    history: int = 0
    edited: int = 0


@dataclass(frozen=True, slots=True)
class Offered(Step):
    """A turn begins: what the model can see, and, once it answered, what the answer took.

    `tokens` and `message_tokens` are estimates, `prompt_tokens` and what follows the provider's, `cost` dollars.
    `unknown` names what the log of an imported run does not have.
    """

    kind: ClassVar[str] = "offered"
    turn: int
    in_view: int
    tokens: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    prefix_kept: bool
    path: SearchPath = ""
    handed: int = 0
    message_tokens: int = 0
    prefix: PromptPrefix | None = None
    seconds: float | None = None
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost: float | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said(Step):
    """The text of one answer, as far as it came."""

    kind: ClassVar[str] = "said"
    turn: int
    text: str
    state: Literal["open", "whole", "cut off"] = "open"


@dataclass(frozen=True, slots=True)
class Called(Step):
    """A call; `arguments` is the JSON text as the model wrote it, `content` what the model was told.

    Of one that waited for a person, `held` was told by the event `held_seq`; once somebody decided, `decided` says what.
    """

    kind: ClassVar[str] = "called"
    turn: int
    call_id: str
    tool: str
    arguments: str
    meta: bool
    state: CallState = "asked"
    server: str = ""
    simulated: bool = False
    content: str = ""
    seconds: float | None = None
    kept: KeptOutput | None = None
    nested: UUID | None = None
    """The run that the call of an agent is."""
    route: CallRouted | None = None
    held: CallHeld | None = None
    held_seq: int = 0
    decided: CallDecided | None = None
    finished_seq: int = 0
    """The event that told its result; 0 before."""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched(Step):
    """A meta-tool's call that searched. Stands where the call stood. `loaded` are the hits that a later call loaded."""

    kind: ClassVar[str] = "searched"
    call: Called
    found: SearchAnswered
    loaded: tuple[str, ...] = ()

    @property
    def by_provider(self) -> bool:
        """Whether the model's provider searched, which gives no reasons."""
        return self.found.engine == PROVIDER_SEARCH


@dataclass(frozen=True, slots=True)
class Loaded(Step):
    """A meta-tool's call that brought tools into view; what they add to each prompt is known with the next offer."""

    kind: ClassVar[str] = "loaded"
    call: Called
    names: tuple[str, ...]
    tokens: int | None = None
    prefix_kept: bool | None = None


@dataclass(frozen=True, slots=True)
class Denied(Step):
    """What the policy kept back; `total` counts those that are not told of, too. Without a `call_id`, kept from view."""

    kind: ClassVar[str] = "denied"
    turn: int
    call_id: str
    denials: tuple[Denial, ...]
    total: int

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(denial.tool for denial in self.denials))

    @property
    def untold(self) -> int:
        return self.total - len(self.denials)


@dataclass(frozen=True, slots=True)
class Retried(Step):
    """The endpoint refused for the moment."""

    kind: ClassVar[str] = "retried"
    turn: int
    attempt: int
    reason: str
    wait: float


@dataclass(frozen=True, slots=True)
class Ended(Step):
    """How the run ended, and why."""

    kind: ClassVar[str] = "ended"
    outcome: Outcome
    reason: str


STEPS: dict[str, type[Step]] = {
    step.kind: step for step in (Asked, Offered, Said, Called, Searched, Loaded, Denied, Retried, Ended)
}


def call_of(step: Step) -> Called | None:
    """The call that the step tells of."""
    match step:
        case Called():
            return step
        case Searched(call=call) | Loaded(call=call):
            return call
    return None


def with_call(step: Step, change: Callable[[Called], Called]) -> Step:
    """The step with its call changed; a step without one stays as it is."""
    match step:
        case Called():
            return change(step)
        case Searched(call=call) | Loaded(call=call):
            return step if (changed := change(call)) is call else replace(step, call=changed)
    return step
