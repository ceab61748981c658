"""The protocol of a model that the loop talks to: a stream of pieces that ends with Finished, or raises."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from playground.agent.spending import Prices
from playground.transcript import ProviderSearch

ChatMessage = Mapping[str, Any]
"""A message in the form that OpenAI-compatible endpoints take; `searches`, where it has them, are the provider's own."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A piece of a tool call: `id` and `name` come once, `arguments` in pieces that are to be joined. `index` tells calls apart."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """The stream ended as the provider means it to end. Never made up: a stream that was cut off raises instead.

    `prices` are those of the model that answered; None where none are known.
    """

    reason: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    reasoning_tokens: int | None = None
    prices: Prices | None = None


Piece = TextPiece | CallPiece | ProviderSearch | Finished

FailureKind = Literal["unreachable", "refused", "rejected", "timeout", "truncated", "bad stream"]


class ModelFailed(Exception):
    """The model's answer did not arrive whole; the message is a redacted sentence fit for the page.

    `refused` (429, 5xx) may be tried again, after `retry_after` seconds if the endpoint named a time; `rejected` (401, 400 …) may not.
    """

    def __init__(self, kind: FailureKind, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retry_after = retry_after


class ChatModel(Protocol):
    name: str
    scripted: bool

    @property
    def most_handed(self) -> int:
        """Tools that the provider's own search takes; 0 where it has none."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        """One answer, of at most `most_tokens`, what the model reasons included, where it is bounded. `handed` are tools
        for the provider's search, hidden from the model, each with the name of its `server`; a tool with `searches` is
        the meta-tool by which it asks this side to search. Raises ModelFailed."""
        ...
