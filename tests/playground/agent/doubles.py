"""A model that follows a plan, and a runner that plays tools: real implementations of the loop's two protocols."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from catalog.tools import ToolSpec
from playground.agent.chat_model import CallPiece, ChatMessage, Finished, ModelFailed, Piece, TextPiece
from playground.agent.events import Event
from playground.agent.scripted_model import reply, words_of
from playground.agent.tool_runner import ToolResult

E = TypeVar("E")
Turn = Sequence[Piece | ModelFailed | float]
"""What a planned model does in one turn: give a piece, fail, or wait for some seconds."""


@dataclass
class PlannedModel:
    """Gives its turns one after the other, and keeps what it was asked."""

    turns: Iterable[Turn]
    name: str = "planned"
    scripted: bool = True
    most_handed: int = 0
    asked: list[tuple[Sequence[ChatMessage], Sequence[Mapping[str, Any]]]] = field(default_factory=list)
    handed: list[Sequence[Mapping[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = iter(self.turns)

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncGenerator[Piece, None]:
        self.asked.append((messages, tools))
        self.handed.append(handed)
        for step in next(self._left):
            match step:
                case ModelFailed():
                    raise step
                case float():
                    await asyncio.sleep(step)
                case _:
                    yield step


class ScriptedModel:
    """The demo model's rules, without LiteLLM in between."""

    name = "demo/scripted"
    scripted = True
    most_handed = 10_000

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncGenerator[Piece, None]:
        answer = reply(messages, tools, handed)
        for word in words_of(answer.text):
            yield TextPiece(word)
        for search in answer.searches:
            yield search
        for index, call in enumerate(answer.calls):
            yield CallPiece(index, f"id-{index}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
        yield Finished("tool_calls" if answer.calls else "stop")


@dataclass
class PlayedTools:
    """Answers each call by `play`, and keeps the calls."""

    play: Callable[[ToolSpec, Mapping[str, Any]], ToolResult] = lambda tool, _: ToolResult(f"{tool.name} done")
    seconds: float = 0.0
    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    running: int = 0
    most_running: int = 0

    def is_simulated(self, tool: ToolSpec) -> bool:
        return True

    async def run(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls.append((tool.name, arguments))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.running -= 1
        return self.play(tool, arguments)


def say(text: str) -> Turn:
    """A turn that answers with text and ends."""
    return (TextPiece(text), Finished("stop"))


def ask_for(*calls: tuple[str, str], reason: str = "tool_calls") -> Turn:
    """A turn that asks for calls: names with their arguments as JSON text."""
    pieces = (CallPiece(index, f"id-{index}", name, text) for index, (name, text) in enumerate(calls))
    return (*pieces, Finished(reason))


def collect(run: AsyncGenerator[Event, None]) -> list[Event]:
    """All events of a run; no task of it may be left over."""

    async def drain() -> list[Event]:
        async with aclosing(run) as events:
            seen = [event async for event in events]
        await see_all_tasks_end()
        return seen

    return asyncio.run(drain())


async def seconds_to_cancel(work: Coroutine[Any, Any, None], ready: asyncio.Event) -> float:
    """Cancel `work` once it is `ready`: how long it takes to be gone, with every task that it began."""
    task = asyncio.create_task(work)
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    started = time.monotonic()
    assert task.cancel(), "it ended before it was ready"
    await asyncio.wait({task})
    assert task.cancelled()
    await see_all_tasks_end()
    return time.monotonic() - started


async def see_all_tasks_end() -> None:
    """LiteLLM leaves tasks that end by themselves in an instant; nothing may live longer."""
    if others := asyncio.all_tasks() - {asyncio.current_task()}:
        _, pending = await asyncio.wait(others, timeout=0.5)
        assert not pending


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def unpriced(piece: Piece) -> Finished:
    """How a stream ended, whatever its model costs."""
    assert isinstance(piece, Finished)
    return replace(piece, prices=None)
