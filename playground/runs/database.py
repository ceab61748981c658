"""Database work of runs, off the event loop: one thread writes, in the order asked, so that a process never contends with itself."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, connection

from catalog.origins import carried

P = ParamSpec("P")
T = TypeVar("T")

_WRITER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="run-writer")
_READERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="run-reader")


async def write(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Once asked for it is done, even if whoever asked is cancelled meanwhile."""
    return await asyncio.shield(_in_thread(_WRITER, carried(partial(work, *args, **kwargs))))


def submit_write(work: Callable[[], None]) -> None:
    """Have it done by the writing thread, after what was asked before."""
    _WRITER.submit(tidily, work)


async def read(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await _in_thread(_READERS, partial(work, *args, **kwargs))


def _in_thread(threads: Executor, work: Callable[[], T]) -> "asyncio.Future[T]":
    return asyncio.get_running_loop().run_in_executor(threads, tidily, work)


def tidily(work: Callable[[], T]) -> T:
    """Do it, and leave no broken connection behind for what this thread does next."""
    try:
        return work()
    except (DatabaseError, InterfaceError):
        connection.close()
        raise
