"""Executing runs: each is a task of this process, outlives the request that began it, and is ended in its record whatever happens."""

import asyncio
import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from contextvars import Context
from functools import partial
from types import MappingProxyType
from uuid import UUID

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.editions import PUBLISHED
from catalog.models import Catalog
from catalog.policy import Context as PolicyContext
from playground.agent.events import OfferMade, RunEnded
from playground.agent.limits import Deadline
from playground.agent.loop import run_agent
from playground.models import ChatModel, Run
from playground.runs.appending import RunIsOverError
from playground.runs.assembling import Assembly, CannotRunError, assemble, redactor_of
from playground.runs.database import read, write
from playground.runs.exchanges import ExchangeLog
from playground.runs.nested import AgentRuns
from playground.runs.recording import Recorder
from playground.runs.threads import EditedResult, Setup, add_first, add_fork, add_next

log = logging.getLogger(__name__)

LOOK_EVERY = 0.8
"""Seconds between two looks at whether another process was asked to stop the run."""
END_WITHIN = 10.0
"""Seconds that all runs together are given to end when the process stops."""
NO_CONTEXT: PolicyContext = {}
STOPPED = RunEnded("stopped", "A person stopped it.")
SERVER_STOPPED = RunEnded("interrupted", "The server was stopped.")


NO_LIMITS: Mapping[str, float] = MappingProxyType({})


class Execution:
    """One run being executed."""

    def __init__(self, run_id: UUID, above: Deadline | None) -> None:
        self._run_id = run_id
        self._above = above
        self._ending: RunEnded | None = None
        self._is_ending = False
        self._assembly: Assembly | None = None
        self._exchanges: ExchangeLog | None = None
        # A context of its own: the request's would tie the run's threads to the request, which ends long before it.
        self.task = asyncio.create_task(self._execute(), context=Context(), name=f"run {run_id}")

    def cut_short(self, ending: RunEnded) -> None:
        """Cancel what is under way; the run ends as `ending` says, as an earlier call said, or as it is about to end."""
        if self._ending is None and not self._is_ending:
            self._ending = ending
            self.task.cancel()

    async def _execute(self) -> None:
        recorder = Recorder(self._run_id)
        watch = asyncio.create_task(self._watch_for_stop())
        try:
            ending = await self._play(recorder)
        except asyncio.CancelledError:
            ending = self._ending or SERVER_STOPPED
        except CannotRunError as reason:
            ending = RunEnded("failed", str(reason))
        except RunIsOverError:
            ending = None
        except Exception as error:
            log.error("run %s failed\n%s", self._run_id, recorder.redactor.text(traceback.format_exc()))
            ending = RunEnded("failed", f"Pegboard itself failed: {type(error).__name__}")
        self._is_ending = True
        watch.cancel()
        await self._end(recorder, ending)

    async def _play(self, recorder: Recorder) -> RunEnded | None:
        """Record events until the last; how the run is to end where none of them said so."""
        recorder.redactor = await read(redactor_of, self._run_id)
        log_of_run = self._exchanges = ExchangeLog(self._run_id, recorder.redactor)
        agents = AgentRuns(self._run_id, start)
        made = self._assembly = await asyncio.to_thread(assemble, self._run_id, agents, log_of_run.keep)
        events = run_agent(
            made.mode,
            made.model,
            made.runner,
            made.task,
            catalog=made.catalog,
            engine=made.engine,
            history=made.history,
            limits=made.limits,
            today=timezone.localdate(),
            policy=made.policy,
            instructions=made.instructions,
            version=made.version,
            asking=made.asking,
            edited=made.edited,
            above=self._above,
            share=made.share,
        )
        async with aclosing(events):
            async for event in events:
                if isinstance(event, OfferMade):
                    log_of_run.turn = event.turn
                await recorder.record(event)
        return None

    async def _end(self, recorder: Recorder, ending: RunEnded | None) -> None:
        with suppress(RunIsOverError):
            if ending:
                await recorder.record(ending)
        await recorder.close()
        if self._exchanges:
            await self._exchanges.close()
        if self._assembly:
            await self._assembly.tools.close()

    async def _watch_for_stop(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            with suppress(DatabaseError):
                if await read(_is_stop_requested, self._run_id):
                    self.cut_short(STOPPED)


_executions: dict[UUID, Execution] = {}


async def begin(
    catalog: Catalog,
    chat_model: ChatModel,
    task: str,
    by: User,
    *,
    context: PolicyContext = NO_CONTEXT,
    limits: Mapping[str, float] = NO_LIMITS,
    edition: str = PUBLISHED,
    mode: str = "",
    ask_person: Sequence[str] = (),
    ask_less: Sequence[str] = (),
) -> Run:
    """A new run in a thread of its own, under way already.

    `context` is what the catalog's policy is told of the request, `limits` are those that a person set for it.
    `edition` is what is asked for of the catalog: what is published, its draft, or the number of a version.
    A `mode` of its own comes with that mode's usual options.
    `ask_person` and `ask_less` are kinds of calls that wait for a person beyond those of the catalog, or do not.
    """
    setup = Setup(
        catalog,
        chat_model,
        task,
        by,
        mode,
        context=context,
        limits=limits,
        edition=edition,
        ask_person=ask_person,
        ask_less=ask_less,
    )
    return await _under_way(partial(add_first, setup))


async def go_on(thread_id: UUID, after: int, setup: Setup) -> Run:
    """The next run of a thread, already under way. Raises CannotGoOnError."""
    return await _under_way(partial(add_next, thread_id, after, setup))


async def fork(source: Run, at: int | None, setup: Setup, edited: EditedResult | None = None) -> Run:
    """The first run of a thread forked from before the event `at` of `source`, already under way."""
    return await _under_way(partial(add_fork, source, at, setup, edited))


async def _under_way(add: Callable[[], Run]) -> Run:
    run = await write(add)
    start(run)
    return run


def start(run: Run, above: Deadline | None = None) -> Execution:
    """Execute the run in this process, which must own it. To be called on the event loop.

    `above` is the deadline of the run that it is nested in.
    """
    execution = _executions[run.pk] = Execution(run.pk, above)
    execution.task.add_done_callback(lambda task: _forget(run.pk, task))
    return execution


async def ended(run_id: UUID) -> None:
    """Wait for the end of a run that this process executes, its record included."""
    if execution := _executions.get(run_id):
        await asyncio.wait({execution.task})


async def stop(run_id: UUID) -> None:
    """Have an unfinished run ended as stopped, whichever process executes it."""
    await write(_request_stop, run_id)
    if execution := _executions.get(run_id):
        execution.cut_short(STOPPED)


async def interrupt_all() -> None:
    """End every run of this process as interrupted, in END_WITHIN seconds; those that take longer are found by the next start."""
    for execution in _executions.values():
        execution.cut_short(SERVER_STOPPED)
    if tasks := [execution.task for execution in _executions.values()]:
        await asyncio.wait(tasks, timeout=END_WITHIN)


def _forget(run_id: UUID, task: "asyncio.Task[None]") -> None:
    _executions.pop(run_id, None)
    if not task.cancelled() and (error := task.exception()):
        log.error("run %s could not be ended in its record", run_id, exc_info=error)


@transaction.atomic
def _request_stop(run_id: UUID) -> None:
    unfinished = Run.objects.unfinished().filter(pk=run_id)
    if unfinished.filter(stop_requested=False).update(stop_requested=True):
        record(Act.RUN_STOPPED, unfinished.get())


def _is_stop_requested(run_id: UUID) -> bool:
    return Run.objects.filter(pk=run_id, stop_requested=True).exists()
