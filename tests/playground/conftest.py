"""What tests of runs share: a person who may start them, and a model that answers as planned."""

import asyncio
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from playground.agent.chat_model import ChatModel
from playground.models import Run
from playground.runs import assembling

Play = Callable[[ChatModel], None]


@pytest.fixture
def play(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Have runs answered by this model."""

    def planned(model: ChatModel) -> None:
        monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: model)

    return planned


@pytest.fixture
def presenter(transactional_db: None) -> User:
    return User.objects.create_user("a-presenter")


async def ended(run: Run) -> Run:
    async with asyncio.timeout(20):
        while run.is_unfinished:
            await asyncio.sleep(0.02)
            await run.arefresh_from_db()
    return run
