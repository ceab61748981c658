"""Requests of one conversation put together: each carries the whole conversation so far, and the answer to it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from playground.foreign.records import Record, each, shortened
from playground.foreign.runs import NOTHING_TOLD, Conversation, Detail, ForeignRuns, Problem
from playground.foreign.telling import tell
from playground.transcript import AssistantMessage, Message, ToolMessage, UserMessage


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer. Without an answer the request is all that the log has: what it `sent` holds the answers too."""

    line: int
    sent: tuple[Message, ...]
    answer: tuple[Message, ...] = ()
    detail: Detail = NOTHING_TOLD
    model: str = ""
    origin: str = ""
    title: str = ""


def read_exchanges(
    text: str,
    exchange_of: Callable[[Record], Exchange | None],
    messages_of: Callable[[list[dict[str, Any]]], Iterable[Message]],
) -> ForeignRuns:
    """A log of requests; where it has none, its records are the messages of one conversation."""
    records = list(each(text))
    pairs = [(record, exchange_of(record)) for record in records]
    exchanges = [exchange for _, exchange in pairs if exchange is not None]
    if not exchanges:
        messages = tuple(messages_of([record.value for record in records]))
        return ForeignRuns.of([tell(Conversation("messages", told=[(message, Detail()) for message in messages]))], [])
    problems = [
        Problem(record.line, "it is no request, and was left out.") for record, exchange in pairs if not exchange
    ]
    return ForeignRuns.of(map(tell, conversations(exchanges)), shortened(problems))


def conversations(exchanges: Iterable[Exchange]) -> list[Conversation]:
    """A request that begins with all of an earlier one and its answer goes on from there; any other begins anew."""
    found: list[Conversation] = []
    open_at: dict[int, Conversation] = {}
    for exchange in exchanges:
        chain = _chain(exchange)
        upto = next((place for place in range(len(chain) - 1, 0, -1) if chain[place] in open_at), 0)
        conversation = open_at.pop(chain[upto]) if upto else _begun(exchange, found)
        _extend(conversation, exchange, exchange.sent[upto:])
        open_at[_chain(exchange, whole=True)[-1]] = conversation
    return found


def _begun(exchange: Exchange, found: list[Conversation]) -> Conversation:
    origin = exchange.origin or f"line {exchange.line}"
    conversation = Conversation(origin, exchange.title, exchange.model)
    found.append(conversation)
    return conversation


def _extend(conversation: Conversation, exchange: Exchange, sent: Sequence[Message]) -> None:
    """An answer that stands in what was sent next is to the request before, and has the tools of that."""
    asked_with = conversation.asked_with
    conversation.model = exchange.model or conversation.model
    for message in sent:
        detail = Detail(at=exchange.detail.began) if isinstance(message, UserMessage) else Detail()
        if isinstance(message, AssistantMessage) and not exchange.answer:
            detail, asked_with = Detail(tools=asked_with or exchange.detail.tools), None
        conversation.told.append((message, detail))
    for message in exchange.answer:
        own = exchange.detail if isinstance(message, AssistantMessage) else Detail(at=exchange.detail.at)
        conversation.told.append((message, own))
    conversation.asked_with = None if exchange.answer else exchange.detail.tools


def _chain(exchange: Exchange, *, whole: bool = False) -> list[int]:
    """A number for each beginning of what was sent: equal for equal beginnings."""
    chain = [hash(exchange.origin)]
    for message in (*exchange.sent, *(exchange.answer if whole else ())):
        chain.append(hash((chain[-1], _mark(message))))
    return chain


def _mark(message: Message) -> tuple[Any, ...]:
    match message:
        case UserMessage(text):
            return ("user", text.strip())
        case AssistantMessage(text):
            return ("assistant", text.strip(), *(call.id for call in message.calls))
        case ToolMessage(call_id):
            return ("tool", call_id)
