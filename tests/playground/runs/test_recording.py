"""Recording: first the database, then everything else."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection

from catalog.redaction import Redactor
from playground.agent.events import CallFinished, CallSent, Event, RunEnded, TextStreamed
from playground.models import Run
from playground.runs.appending import RunIsOverError
from playground.runs.database import write
from playground.runs.recording import TEXT_EVERY, Recorder
from tests.playground.runs.conftest import STARTED

EventsOf = Callable[[UUID], list[Event]]
SENT = CallSent(1, "a", "x", "s", True)
SECRET = "CANARY-8c1f-4b7e-secret"


def on_disk(run: Run) -> list[str]:
    """The kinds of the events that another process would see now."""
    with sqlite3.connect(f"file:{connection.settings_dict['NAME']}?mode=ro", uri=True) as other:
        rows = other.execute("SELECT kind FROM playground_runevent WHERE run_id = ? ORDER BY seq", [run.pk.hex])
        return [kind for (kind,) in rows]


async def test_an_event_is_on_disk_before_record_returns(run: Run) -> None:
    recorder = Recorder(run.pk)
    for event in (STARTED, SENT):
        await recorder.record(event)
        assert (await asyncio.to_thread(on_disk, run))[-1] == event.kind
    await recorder.close()


async def test_pieces_of_text_become_one_event_and_come_before_what_follows(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    for event in (TextStreamed(1, "It "), TextStreamed(1, "is "), TextStreamed(1, "cold."), SENT, TextStreamed(1, "!")):
        await recorder.record(event)
    await recorder.record(RunEnded("completed"))
    await recorder.close()
    expected = [TextStreamed(1, "It is cold."), SENT, TextStreamed(1, "!"), RunEnded("completed")]
    assert await asyncio.to_thread(events_of, run.pk) == expected


async def test_text_that_goes_on_is_written_while_it_does(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    began = time.monotonic()
    while time.monotonic() - began < TEXT_EVERY * 6:
        await recorder.record(TextStreamed(1, "so "))
        await asyncio.sleep(TEXT_EVERY / 8)
    await recorder.record(RunEnded("completed"))
    await recorder.close()
    pieces = [event.text for event in await asyncio.to_thread(events_of, run.pk) if isinstance(event, TextStreamed)]
    assert 1 < len(pieces) <= 8


async def test_texts_of_two_turns_stay_two(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    for event in (TextStreamed(1, "one"), TextStreamed(2, "two"), RunEnded("completed")):
        await recorder.record(event)
    await recorder.close()
    assert [getattr(event, "text", "") for event in await asyncio.to_thread(events_of, run.pk)] == ["one", "two", ""]


@pytest.mark.parametrize("size", [1, 2, 5, 11])
async def test_a_secret_is_found_however_a_text_is_cut(run: Run, events_of: EventsOf, size: int) -> None:
    recorder = Recorder(run.pk)
    recorder.redactor = Redactor([SECRET])
    text = f"The key is {SECRET}, keep it."
    for start in range(0, len(text), size):
        await recorder.record(TextStreamed(1, text[start : start + size]))
        await asyncio.sleep(TEXT_EVERY / 2)
    await recorder.record(RunEnded("completed"))
    await recorder.close()
    pieces = [event.text for event in await asyncio.to_thread(events_of, run.pk) if isinstance(event, TextStreamed)]
    assert "".join(pieces) == "The key is ••••, keep it."


async def test_secrets_are_kept_out_of_every_event(run: Run) -> None:
    recorder = Recorder(run.pk)
    recorder.redactor = Redactor([SECRET])
    await recorder.record(CallFinished(1, "a", "x", "failed", f"401: {SECRET} is no key", 0.1))
    await recorder.record(RunEnded("failed", f"Model rejected: {SECRET}"))
    await recorder.close()
    bodies = await asyncio.to_thread(lambda: str(list(run.events.values_list("body", flat=True))))
    assert SECRET not in bodies
    assert bodies.count("••••") == 2


async def test_the_runs_status_follows_in_the_same_transaction(run: Run) -> None:
    recorder = Recorder(run.pk)
    await recorder.record(STARTED)
    await run.arefresh_from_db()
    assert run.status == Run.Status.RUNNING
    await recorder.record(RunEnded("limit", "Too many turns."))
    await recorder.close()
    await run.arefresh_from_db()
    assert run.status == Run.Status.LIMIT
    assert run.ended_at is not None


async def test_nothing_is_recorded_of_a_run_that_is_over(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    await recorder.record(RunEnded("stopped", "A person stopped it."))
    with pytest.raises(RunIsOverError):
        await recorder.record(SENT)
    await recorder.close()
    assert len(await asyncio.to_thread(events_of, run.pk)) == 1


async def test_nothing_is_recorded_of_a_run_that_was_deleted(run: Run) -> None:
    await run.adelete()
    with pytest.raises(RunIsOverError):
        await Recorder(run.pk).record(STARTED)


@pytest.mark.usefixtures("layer")
async def test_the_channel_layer_cannot_hurt_a_run(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    for event in (STARTED, SENT, RunEnded("completed")):
        await recorder.record(event)
    await recorder.close()
    assert len(await asyncio.to_thread(events_of, run.pk)) == 3


async def test_an_event_that_was_asked_for_is_kept_when_its_run_is_cancelled(run: Run, events_of: EventsOf) -> None:
    recorder = Recorder(run.pk)
    recording = asyncio.create_task(recorder.record(SENT))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    recording.cancel()
    await asyncio.wait({recording})
    await recorder.record(RunEnded("stopped"))
    await recorder.close()
    assert [event.kind for event in await asyncio.to_thread(events_of, run.pk)][-1] == "run_ended"


async def test_a_locked_database_makes_a_run_wait_and_loses_nothing(run: Run, events_of: EventsOf) -> None:
    await write(_give_up_after, 50)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    recorder = Recorder(run.pk)
    recording = asyncio.create_task(recorder.record(STARTED))
    done, _ = await asyncio.wait({recording}, timeout=0.3)
    other.execute("ROLLBACK")
    other.close()
    await recording
    await recorder.close()
    assert not done
    assert await asyncio.to_thread(events_of, run.pk) == [STARTED]


def _give_up_after(milliseconds: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
