"""The chat models as writers of descriptions: one question, one answer, bounded in length and time."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial

from catalog.outbound import http_transport
from catalog.redaction import Redactor
from catalog.whatif.writers import Writer, WritingFailedError
from playground.agent.chat_model import ModelFailed, TextPiece
from playground.agent.litellm_model import LiteLLMModel
from playground.models import ChatModel
from playground.runs.secrets import key_of

SECONDS = 30.0
"""In which the answer has to be whole: a person waits for it."""
MOST_CHARACTERS = 8_000
"""Of an answer that are waited for; what is longer is no description."""
_threads = ThreadPoolExecutor(2, thread_name_prefix="writing")
"""Each question has an event loop of its own there."""


def writers() -> Sequence[Writer]:
    """The models that are switched on and are no script."""
    rows = [row for row in ChatModel.objects.filter(enabled=True) if not row.is_scripted]
    return [Writer(row.pk, row.title, partial(_ask, row)) for row in rows]


def _ask(row: ChatModel, task: str, material: str) -> str:
    key = key_of(row)
    # An admin wrote the address, and may mean a private one.
    transport = partial(http_transport, allow_private=bool(row.base_url))
    model = LiteLLMModel(row.name, row.base_url, key, open_transport=transport, prices=row.prices)
    try:
        return _threads.submit(asyncio.run, _answer(model, task, material)).result()
    except TimeoutError:
        raise WritingFailedError(f"{row.title} gave no whole answer within {SECONDS:g} seconds.") from None
    except ModelFailed as failed:
        said = Redactor([key] if key else []).text(str(failed)).rstrip(".")
        raise WritingFailedError(f"{row.title} did not answer: {said}.") from None


async def _answer(model: LiteLLMModel, task: str, material: str) -> str:
    messages = [{"role": "system", "content": task}, {"role": "user", "content": material}]
    said = ""
    async with asyncio.timeout(SECONDS), aclosing(model.stream(messages, ())) as pieces:
        async for piece in pieces:
            if isinstance(piece, TextPiece):
                said += piece.text
            if len(said) > MOST_CHARACTERS:
                break
    return said
