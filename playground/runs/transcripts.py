"""A transcript rebuilt from recorded events: what a later run of the conversation is given of an earlier one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    TextStreamed,
    ToolsLoaded,
)
from playground.agent.provider_searches import PROVIDER_SEARCH
from playground.transcript import (
    AssistantMessage,
    Message,
    ProviderSearch,
    ToolCall,
    ToolMessage,
    Transcript,
    UserMessage,
)

WITHHELD = "content_filter"
"""Why an answer ended that its provider took back."""


def transcript_of(events: Iterable[Event]) -> Transcript:
    """The messages of one run, or of its beginning; `events` from its first on.

    An answer counts once it is whole: text that was cut off by a stop, a fault or the end of the process is not part of
    the conversation, and neither is what the provider withheld. A call without a recorded answer has no ToolMessage;
    `to_chat` answers it. Secrets that the record is kept clean of are missing here too.
    """
    return tuple(_messages(events))


def with_result(transcript: Transcript, call_id: str, content: str) -> Transcript:
    """The transcript with the answer to one call as a person has it: an answer, whether it was one before or not."""
    return tuple(
        replace(message, content=content, is_error=False, edited=True)
        if isinstance(message, ToolMessage) and message.call_id == call_id
        else message
        for message in transcript
    )


def awaits_model(transcript: Transcript) -> bool:
    """Whether it is the model's turn: a person spoke last, or calls were made, answered or not."""
    match transcript[-1:]:
        case (UserMessage() | ToolMessage(),):
            return True
        case (AssistantMessage(calls=calls),):
            return bool(calls)
    return False


def _messages(events: Iterable[Event]) -> Iterator[Message]:
    turn = _Turn()
    for event in events:
        match event:
            case RunStarted(task=str(task)):
                yield UserMessage(task)
            case OfferMade() | RunEnded():
                yield from turn.messages()
                turn = _Turn()
            case _:
                turn.take(event)
    yield from turn.messages()


@dataclass(slots=True)
class _Turn:
    """One answer of the model and what came of it, as far as it is recorded."""

    text: list[str] = field(default_factory=list)
    is_whole: bool = False
    calls: dict[str, ToolCall] = field(default_factory=dict)
    searches: dict[str, ProviderSearch] = field(default_factory=dict)
    loaded: dict[str, tuple[str, ...]] = field(default_factory=dict)
    replies: dict[str, CallFinished] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        match event:
            case TextStreamed(text=text):
                self.text.append(text)
            case ModelAnswered(finish_reason=reason):
                self.is_whole = reason != WITHHELD
            case CallMade(call_id=call_id, tool=name, meta=True) if name == PROVIDER_SEARCH:
                self.searches[call_id] = ProviderSearch(call_id, "")
            case CallMade(call_id=call_id, tool=name, arguments=arguments):
                self.calls[call_id] = ToolCall(call_id, name, arguments)
            case SearchAnswered(call_id=call_id, query=query, problem=problem) if call_id in self.searches:
                self.searches[call_id] = ProviderSearch(call_id, query, problem=problem)
            case ToolsLoaded(call_id=call_id, names=names):
                self.loaded[call_id] = names
            case CallFinished(call_id=call_id) if call_id in self.calls:
                self.replies[call_id] = event

    def messages(self) -> Iterator[Message]:
        """The answer, then the answers to its calls, in the order of the calls."""
        answer = AssistantMessage("".join(self.text), tuple(self.calls.values()), tuple(self._searched()))
        if not self.is_whole or not (answer.text or answer.ids):
            return
        yield answer
        for call_id in self.calls:
            if reply := self.replies.get(call_id):
                loaded = self.loaded.get(call_id, ())
                yield ToolMessage(call_id, reply.tool, reply.content, loaded, is_error=reply.outcome != "ok")

    def _searched(self) -> Iterator[ProviderSearch]:
        for search in self.searches.values():
            yield ProviderSearch(search.id, search.query, self.loaded.get(search.id, ()), search.problem)
