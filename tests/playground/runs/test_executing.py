"""Executing runs: as tasks of this process, whose record says how each ended."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog
from catalog.owners import this_process
from playground.agent.events import CallFinished, CallSent, Event, RunEnded, TextStreamed
from playground.agent.tool_runner import ToolResult
from playground.models import ChatModel, Run
from playground.runs.executing import begin, interrupt_all, stop
from playground.runs.reading import state_at
from playground.runs.steps import Called
from playground.runs.tool_calls import CatalogTools
from tests.playground.conftest import Play, ended
from tests.playground.runs.doubles import PlannedModel, calls, says

EventsOf = Callable[[UUID], list[Event]]
SECRET = "CANARY-5f0e-2a9b-secret"


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    model = ChatModel(title="Planned", name="planned/model")
    model.secrets = {"api_key": SECRET}
    model.save()
    return model


async def reached(run: Run, kind: type[TextStreamed] | type[CallSent]) -> None:
    async with asyncio.timeout(20):
        has_come = False
        while not has_come:
            await asyncio.sleep(0.02)
            has_come = await run.events.filter(kind=kind.kind).aexists()


async def test_a_run_outlives_its_request_and_is_recorded(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, events_of: EventsOf
) -> None:
    play(PlannedModel(calls("team__notify_user", '{"to": "Ada"}'), says("Ada ", "knows.")))
    run = await ended(await begin(team, chat_model, "Tell Ada", presenter))
    events = await asyncio.to_thread(events_of, run.pk)
    kinds = [event.kind for event in events]
    assert run.status == Run.Status.COMPLETED
    assert (run.owner, run.by_id, run.task) == (this_process().id, presenter.pk, "Tell Ada")
    assert kinds.index("call_sent") < kinds.index("call_finished")
    assert next(event.content for event in events if isinstance(event, CallFinished)).startswith('{"ok": true')
    assert events[-1] == RunEnded("completed")


async def test_a_stopped_run_says_that_a_person_stopped_it(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, events_of: EventsOf
) -> None:
    play(PlannedModel(says(*["on "] * 2_000), pace=0.01))
    run = await begin(team, chat_model, "Go on", presenter)
    await reached(run, TextStreamed)
    await asyncio.gather(stop(run.pk), stop(run.pk))
    run = await ended(run)
    events = await asyncio.to_thread(events_of, run.pk)
    assert run.status == Run.Status.STOPPED
    assert events[-1] == RunEnded("stopped", "A person stopped it.")
    assert any(isinstance(event, TextStreamed) for event in events)


async def test_a_run_is_stopped_from_another_process(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel(says(*["on "] * 2_000), pace=0.01))
    run = await begin(team, chat_model, "Go on", presenter)
    await Run.objects.filter(pk=run.pk).aupdate(stop_requested=True)
    async with asyncio.timeout(3):
        run = await ended(run)
    assert run.status == Run.Status.STOPPED


async def test_a_run_that_has_ended_cannot_be_stopped(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel(says("Done.")))
    run = await ended(await begin(team, chat_model, "Do", presenter))
    await stop(run.pk)
    await run.arefresh_from_db()
    assert (run.status, run.stop_requested) == (Run.Status.COMPLETED, False)


async def test_a_run_that_is_stopped_while_it_ends_still_sends_its_servers_home(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing, may_close, closed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def close(_: CatalogTools) -> None:
        closing.set()
        await may_close.wait()
        closed.set()

    monkeypatch.setattr(CatalogTools, "close", close)
    play(PlannedModel(says("Done.")))
    run = await begin(team, chat_model, "Do", presenter)
    async with asyncio.timeout(20):
        await closing.wait()
        await stop(run.pk)
        await stop_the_server_and_let_it_close(may_close)
        await closed.wait()
    await run.arefresh_from_db()
    assert run.status == Run.Status.COMPLETED


async def stop_the_server_and_let_it_close(may_close: asyncio.Event) -> None:
    """The server stops meanwhile, too; only then may the run close."""
    stopping = asyncio.create_task(interrupt_all())
    await asyncio.sleep(0)
    may_close.set()
    await stopping


async def test_a_stopping_server_interrupts_its_runs(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, events_of: EventsOf
) -> None:
    play(PlannedModel(says(*["on "] * 2_000), pace=0.01))
    runs = [await begin(team, chat_model, "Go on", presenter) for _ in range(3)]
    await reached(runs[0], TextStreamed)
    await interrupt_all()
    for run in runs:
        await run.arefresh_from_db()
        assert run.status == Run.Status.INTERRUPTED
        assert (await asyncio.to_thread(events_of, run.pk))[-1] == RunEnded("interrupted", "The server was stopped.")


class _BrokenModel(PlannedModel):
    async def stream(self, messages, tools, handed=(), most_tokens=None):  # type: ignore[no-untyped-def]
        raise ZeroDivisionError(f"with {SECRET}")
        yield


async def test_a_fault_of_ours_is_told_as_ours_and_keeps_secrets(
    team: Catalog,
    chat_model: ChatModel,
    presenter: User,
    play: Play,
    events_of: EventsOf,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play(_BrokenModel())
    run = await ended(await begin(team, chat_model, "Do", presenter))
    assert run.status == Run.Status.FAILED
    assert (await asyncio.to_thread(events_of, run.pk))[-1] == RunEnded(
        "failed", "Pegboard itself failed: ZeroDivisionError"
    )
    assert "ZeroDivisionError" in caplog.text
    assert SECRET not in caplog.text


async def test_a_run_whose_model_was_deleted_says_so(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, events_of: EventsOf
) -> None:
    await ChatModel.objects.filter(pk=chat_model.pk).aupdate(enabled=False)
    run = await ended(await begin(team, chat_model, "Do", presenter))
    assert await asyncio.to_thread(events_of, run.pk) == [RunEnded("failed", "The chat model Planned is switched off.")]


async def test_a_call_that_was_under_way_has_an_unknown_outcome(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> ToolResult:
        await asyncio.sleep(60)
        raise AssertionError

    monkeypatch.setattr(CatalogTools, "run", never)
    play(PlannedModel(calls("team__notify_user")))
    run = await begin(team, chat_model, "Tell Ada", presenter)
    await reached(run, CallSent)
    await stop(run.pk)
    await ended(run)
    state = await asyncio.to_thread(state_at, run.pk)
    assert [step.state for step in state.steps if isinstance(step, Called)] == ["unknown"]
