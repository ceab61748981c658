"""Calls that wait for a person: waiting for what is decided, and deciding, once for each call."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from catalog.auditing.recording import Act, record
from playground.agent.person import Decided
from playground.agent.person_events import CallHeld, Decision
from playground.models import HeldCall
from playground.runs.database import read, write

LOOK_EVERY = 0.8
"""Seconds between two looks at what another process may have been told."""


class CannotDecideError(Exception):
    """Nothing was decided now; the message says, as a sentence, why."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person decided of a held call, of these arguments and no others (`digest`)."""

    decision: Decision
    digest: str
    arguments: Mapping[str, Any] | None = None
    text: str = ""
    by: User | None = field(default=None, compare=False)


class WatchingPerson:
    """Whoever watches the run, in any process: what they decide is in a row."""

    def __init__(self, run_id: UUID, wait: float) -> None:
        self.wait = wait
        self._run_id = run_id

    async def decide(self, held: CallHeld) -> Decided:
        key = (self._run_id, held.call_id)
        news = _news[key] = asyncio.Event()
        try:
            async with asyncio.timeout(held.wait):
                while (decided := await read(_decided, *key)) is None:
                    news.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(news.wait(), LOOK_EVERY)
                return decided
        except TimeoutError:
            await write(_give_up, *key)
            return await read(_decided, *key) or Decided("unanswered")
        finally:
            _news.pop(key, None)


async def decide(held: HeldCall, said: Said) -> None:
    """Of many at once one is heard. Raises CannotDecideError."""
    await write(_decide, held.pk, said)
    if news := _news.get((held.run_id, held.call_id)):
        news.set()


_news: dict[tuple[UUID, str], asyncio.Event] = {}


@transaction.atomic
def _decide(pk: int, said: Said) -> None:
    held = HeldCall.objects.select_for_update().select_related("run", "by").get(pk=pk)
    if held.decision:
        raise CannotDecideError(_late(held))
    if not held.run.is_unfinished or held.run.stop_requested:
        raise CannotDecideError("The run has ended meanwhile, so nothing is sent any more.")
    if not constant_time_compare(held.digest, said.digest):
        raise CannotDecideError("This is not what was shown: the decision was for other arguments. Look at them again.")
    held.decision, held.by, held.decided_at = said.decision, said.by, timezone.now()
    held.said = {"arguments": said.arguments, "text": said.text}
    held.save(update_fields=["decision", "by", "decided_at", "said"])
    record(Act.CALL_DECIDED, held.run, after={"tool": held.tool, "decision": said.decision}, by=said.by)


def _late(held: HeldCall) -> str:
    if held.decision == "unanswered":
        return "Nobody had answered in time, so the call was refused already."
    who = held.by.get_username() if held.by else "Somebody"
    return f"{who} decided already: {held.decision}. What you chose changed nothing."


def _decided(run_id: UUID, call_id: str) -> Decided | None:
    held = HeldCall.objects.select_related("by").filter(run_id=run_id, call_id=call_id).first()
    if held is None or not held.decision:
        return None
    by = held.by.get_username() if held.by else ""
    return Decided(cast(Decision, held.decision), by, held.said.get("arguments"), held.said.get("text", ""))


def _give_up(run_id: UUID, call_id: str) -> None:
    waiting = HeldCall.objects.filter(run_id=run_id, call_id=call_id, decision="")
    waiting.update(decision="unanswered", decided_at=timezone.now())
