"""One model call of a run: its tries, its pieces as events, and its whole answer in the draft."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from playground.agent.chat_model import ChatMessage, ChatModel, ModelFailed, Piece, TextPiece
from playground.agent.draft import Draft
from playground.agent.events import Event, ModelAnswered, ModelRetried, TextStreamed
from playground.agent.limits import Deadline, Limits
from playground.agent.prompt import Prompt
from playground.agent.well_formed import well_formed


@dataclass(frozen=True, slots=True)
class Question:
    """What one model call sends. `tokens_all` estimates the same prompt with every tool of the catalog in it.

    `most_tokens` bounds the answer, where something does.
    """

    turn: int
    prompt: Prompt
    handed: Sequence[Mapping[str, Any]]
    tokens_all: int
    most_tokens: int | None = None

    @property
    def messages(self) -> list[ChatMessage]:
        return [part.sent for part in self.prompt.messages]

    @property
    def tools(self) -> list[Mapping[str, Any]]:
        return [part.sent for part in self.prompt.tools]


async def ask(
    model: ChatModel, question: Question, draft: Draft, limits: Limits, deadline: Deadline
) -> AsyncGenerator[Event, None]:
    """Fill `draft`, what it used included. Raises ModelFailed, or LimitReached when the run's time is up.

    A refusal is tried again only while nothing of an answer has arrived: later, a second try would say things twice.
    """
    started = time.monotonic()
    for attempt in range(1, limits.attempts + 1):
        try:
            async with aclosing(_stream(model, question, draft, deadline)) as events:
                async for event in events:
                    yield event
            break
        except ModelFailed as failure:
            if draft.has_begun or not _may_try_again(failure, attempt, limits):
                raise
            wait = _wait(failure, attempt, limits)
            yield ModelRetried(question.turn, attempt, str(failure), wait)
            await _sleep(wait, deadline)
    seconds = time.monotonic() - started
    draft.used = await asyncio.to_thread(draft.usage, question.prompt.tokens)
    if draft.finished and draft.finished.prices:
        draft.cost = draft.finished.prices.cost(draft.used)
    yield _answered(question, draft, seconds)


async def _stream(
    model: ChatModel, question: Question, draft: Draft, deadline: Deadline
) -> AsyncGenerator[Event, None]:
    async with aclosing(_pieces(model, question, deadline)) as pieces:
        async for piece in pieces:
            draft.add(piece)
            if isinstance(piece, TextPiece) and piece.text:
                yield TextStreamed(question.turn, piece.text)


async def _pieces(model: ChatModel, question: Question, deadline: Deadline) -> AsyncGenerator[Piece, None]:
    """The stream's pieces, none of them awaited for longer than the run has left."""
    stream = model.stream(question.messages, question.tools, question.handed, question.most_tokens)
    try:
        while True:
            try:
                async with asyncio.timeout(deadline.left) as patience:
                    piece = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if patience.expired():
                    raise deadline.passed() from None
                raise
            yield TextPiece(well_formed(piece.text)) if isinstance(piece, TextPiece) else piece
            await asyncio.sleep(0)
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


async def _sleep(seconds: float, deadline: Deadline) -> None:
    if seconds >= deadline.left:
        raise deadline.passed()
    await asyncio.sleep(seconds)


def _may_try_again(failure: ModelFailed, attempt: int, limits: Limits) -> bool:
    if failure.kind != "refused" or attempt == limits.attempts:
        return False
    return failure.retry_after is None or failure.retry_after <= limits.longest_wait


def _wait(failure: ModelFailed, attempt: int, limits: Limits) -> float:
    """Seconds before the next try: what the endpoint named or the backoff, and a jitter, so that runs do not return at once."""
    backoff = limits.backoff * 2 ** (attempt - 1)
    seconds = backoff if failure.retry_after is None else failure.retry_after
    return round(seconds + random.uniform(0.0, backoff / 2), 3)


def _answered(question: Question, draft: Draft, seconds: float) -> ModelAnswered:
    end = draft.finished
    if end is None:
        raise ModelFailed("truncated", "the answer stopped before its end")
    told = ModelAnswered(
        question.turn,
        end.reason,
        seconds,
        end.prompt_tokens,
        end.completion_tokens,
        end.cached_tokens,
        end.written_tokens,
        end.reasoning_tokens,
    )
    if end.prices is None:
        return told
    more = max(question.tokens_all - question.prompt.tokens, 0)
    with_all = draft.used.with_prompt_of(draft.used.prompt + more)
    return replace(told, cost=draft.cost, cost_all=end.prices.cost(with_all))
