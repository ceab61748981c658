"""Work that is done again and again: when it begins, and what of it may fail."""

import asyncio
import logging

import pytest
from django.db import DatabaseError

from catalog.repeating import repeat


class Work:
    """Fails as told, one failure a time, and then does nothing."""

    def __init__(self, *failures: Exception) -> None:
        self.failures, self.times, self.done = list(failures), 0, asyncio.Event()

    async def __call__(self) -> None:
        self.times += 1
        if self.failures:
            raise self.failures.pop()
        self.done.set()


async def test_a_failure_is_logged_and_the_work_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(DatabaseError("is locked"))
    with caplog.at_level(logging.WARNING):
        task = asyncio.create_task(repeat(work, 0.001, "nothing was swept"))
        await work.done.wait()
        task.cancel()
    assert caplog.messages == ["nothing was swept: is locked"]
    assert work.times >= 2


async def test_another_failure_is_not_swallowed() -> None:
    with pytest.raises(OSError):
        await repeat(Work(OSError()), 0.001, "x")
    work = Work(OSError())
    task = asyncio.create_task(repeat(work, 0.001, "x", failures=(OSError,)))
    await work.done.wait()
    task.cancel()


@pytest.mark.parametrize(("at_once", "times"), [(True, 1), (False, 0)])
async def test_it_begins_at_once_or_after_its_time(at_once: bool, times: int) -> None:
    work = Work()
    task = asyncio.create_task(repeat(work, 60, "x", at_once=at_once))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    assert work.times == times
