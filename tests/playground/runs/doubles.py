"""Parts that misbehave on purpose, and models whose every answer is planned."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from channels.layers import BaseChannelLayer

from playground.agent.chat_model import CallPiece, ChatMessage, Finished, Piece, TextPiece

MEMORY = "channels.layers.InMemoryChannelLayer"
TINY_LAYER = {"default": {"BACKEND": MEMORY, "CONFIG": {"capacity": 1}}}
FAILING_LAYER = {"default": {"BACKEND": "tests.playground.runs.doubles.FailingLayer"}}


class FailingLayer(BaseChannelLayer):  # type: ignore[misc]
    """As a broker that is down."""

    async def new_channel(self, prefix: str = "") -> str:
        raise ConnectionError("the broker is down")

    async def group_send(self, group: str, message: Mapping[str, Any]) -> None:
        raise ConnectionError("the broker is down")


class PlannedModel:
    """Gives the planned answer of each turn, waiting `pace` seconds before each piece. Serves any number of runs."""

    name = "planned"
    scripted = True
    most_handed = 0

    def __init__(self, *plan: Sequence[Piece], pace: float = 0.0) -> None:
        self._plan = plan
        self._pace = pace

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        turn = sum(message["role"] == "assistant" for message in messages)
        for piece in self._plan[turn]:
            await asyncio.sleep(self._pace)
            yield piece


def says(*texts: str) -> list[Piece]:
    return [*(TextPiece(text) for text in texts), Finished("stop", 100, 10)]


def calls(tool: str, arguments: str = "{}") -> list[Piece]:
    return [CallPiece(0, f"call-{tool}", tool, arguments), Finished("tool_calls", 100, 10)]


class ModelByTask(PlannedModel):
    """Follows the plan of the task that it is given; keeps the system text of each."""

    def __init__(self, plans: Mapping[str, Sequence[Sequence[Piece]]], pace: float = 0.0) -> None:
        super().__init__(pace=pace)
        self._plans = plans
        self.told: dict[str, str] = {}

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        task = next(message["content"] for message in messages if message["role"] == "user")
        self.told[task] = messages[0]["content"]
        planned = PlannedModel(*self._plans[task], pace=self._pace)
        async for piece in planned.stream(messages, tools, handed, most_tokens):
            yield piece
