"""The product as an ASGI application whose models take their time: served by tests in a process that they can kill."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from random import getrandbits
from typing import Any
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.asgi import application  # noqa: E402  (models load only once Django is set up)
from playground.agent.chat_model import CallPiece, ChatMessage, Finished, Piece, TextPiece  # noqa: E402
from playground.runs import assembling  # noqa: E402
from tests.playground.runs.doubles import PlannedModel, calls, says  # noqa: E402

__all__ = ["application"]

SLOW = PlannedModel(calls("team__notify_user"), says(*["and on "] * 5_000), pace=0.02)
PACE = 0.03


class SlowModel(PlannedModel):
    """Told to call on, it makes two calls that nobody made before in every answer; told anything else, it says much, slowly."""

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        handed: Sequence[Mapping[str, Any]] = (),
        most_tokens: int | None = None,
    ) -> AsyncIterator[Piece]:
        if {"role": "user", "content": "Call on"} not in messages:
            async for piece in SLOW.stream(messages, tools, handed, most_tokens):
                yield piece
            return
        yield TextPiece("Once more. ")
        for place in range(2):
            await asyncio.sleep(PACE)
            yield CallPiece(place, f"call-{uuid4()}", "days__day", f'{{"day": {getrandbits(50)}}}')
        yield Finished("tool_calls", 100, 10)


setattr(assembling, "LiteLLMModel", lambda *_, **__: SlowModel())  # noqa: B010  (the one patch: the network)
