"""Additions of several runs in one transaction: none costs another one."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import IntegrityError
from django.utils import timezone

from catalog.redaction import Redactor
from playground.agent.events import CallFinished, CallSent, Event, RunEnded
from playground.models import Run, Thread
from playground.runs.appending import MOST_AT_ONCE, Addition, RunIsOverError, add, append_all

EventsOf = Callable[[UUID], list[Event]]
SENT = CallSent(1, "a", "x", "s", True)
IMPOSSIBLE = CallFinished(1, "a", "x", "ok", "", float("nan"))
OVER = RunEnded("completed")


@pytest.fixture
def runs(transactional_db: None) -> list[Run]:
    thread = Thread.objects.create(title="t")
    return [Run.objects.create(thread=thread, task="t", position=number) for number in range(4)]


def addition(run: Run, *events: Event) -> Addition:
    return Addition(run.pk, [(timezone.now(), event) for event in events], Redactor())


def test_each_run_counts_for_itself(runs: list[Run], events_of: EventsOf) -> None:
    one, two, *_ = runs
    lasts = append_all([addition(one, SENT, SENT), addition(two, SENT), addition(one, SENT), addition(two, OVER)])
    assert lasts == [2, 1, 3, 2]
    assert events_of(one.pk) == [SENT] * 3
    assert events_of(two.pk) == [SENT, OVER]


def test_nothing_follows_the_end_even_in_one_transaction(runs: list[Run], events_of: EventsOf) -> None:
    lasts = append_all([addition(runs[0], OVER), addition(runs[0], SENT), addition(runs[1], SENT)])
    assert lasts == [1, None, 1]
    assert events_of(runs[0].pk) == [OVER]


async def test_an_addition_that_cannot_be_written_costs_no_other(runs: list[Run], events_of: EventsOf) -> None:
    await add(addition(runs[3], OVER))
    wanted = [addition(runs[0], SENT), addition(runs[1], IMPOSSIBLE), addition(runs[2], SENT), addition(runs[3], SENT)]
    first, second, third, fourth = await asyncio.gather(*map(add, wanted), return_exceptions=True)
    assert (first, third) == (1, 1)
    assert isinstance(second, IntegrityError)
    assert isinstance(fourth, RunIsOverError)
    assert await asyncio.to_thread(events_of, runs[2].pk) == [SENT]


async def test_many_at_once_are_all_written(runs: list[Run], events_of: EventsOf) -> None:
    count = MOST_AT_ONCE * 3
    lasts = await asyncio.gather(*(add(addition(run, SENT)) for _ in range(count) for run in runs))
    assert sorted(lasts) == sorted(list(range(1, count + 1)) * len(runs))
    for run in runs:
        assert len(await asyncio.to_thread(events_of, run.pk)) == count


async def test_an_addition_is_written_though_its_caller_was_cancelled(runs: list[Run], events_of: EventsOf) -> None:
    adding = asyncio.create_task(add(addition(runs[0], SENT)))
    await asyncio.sleep(0)
    adding.cancel()
    await asyncio.wait({adding})
    assert adding.cancelled()
    assert await add(addition(runs[0], OVER)) == 2
    assert await asyncio.to_thread(events_of, runs[0].pk) == [SENT, OVER]
