"""Asking code of the deployment whether a tool is allowed: in time, and without trusting that it answers."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from threading import Thread
from typing import Any

from catalog.tools import ToolSpec

Question = Callable[[ToolSpec, Any, Mapping[str, Any]], bool | Awaitable[bool]]
"""Whether a tool is allowed in a phase, given the context of the request. What it raises counts as no (M-32)."""

PATIENCE = 5.0
"""Seconds that an answer may take."""
MOST_TOLD = 300
"""Characters of an error that are told."""


class Asker:
    """Asks one question for one request. Where an answer does not come in time, it is not asked again."""

    def __init__(self, question: Question, seconds: float = PATIENCE) -> None:
        self._question, self._seconds = question, seconds
        self._gave_up = ""

    def refusal(self, tool: ToolSpec, phase: str, context: Mapping[str, Any]) -> str:
        """Why not; empty if the tool is allowed. Blocks until it is answered."""
        if self._gave_up:
            return self._gave_up
        answer: Future[bool] = Future()
        Thread(target=self._answer, args=(answer, tool, phase, dict(context)), daemon=True, name="policy").start()
        try:
            error = answer.exception(self._seconds)
        except TimeoutError:
            self._gave_up = f"the policy did not answer within {self._seconds:g} seconds"
            return self._gave_up
        if error is not None:
            return f"the policy failed: {type(error).__name__}: {error}"[:MOST_TOLD]
        return "" if answer.result() else "the policy said no"

    def _answer(self, answer: "Future[bool]", tool: ToolSpec, phase: str, context: Mapping[str, Any]) -> None:
        """In a thread of its own, which may hang for ever: nobody waits for it then."""
        try:
            said = self._question(tool, phase, context)
            answer.set_result(
                bool(asyncio.run(_awaited(said, 2 * self._seconds)) if inspect.isawaitable(said) else said)
            )
        except BaseException as error:
            answer.set_exception(error)


async def _awaited(said: Awaitable[bool], seconds: float) -> bool:
    async with asyncio.timeout(seconds):
        return await said
