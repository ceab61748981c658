"""Work that a serving process does again and again, for as long as it serves."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import DatabaseError

log = logging.getLogger(__name__)
Failures = tuple[type[Exception], ...]


async def repeat(
    work: Callable[[], Awaitable[object]],
    every: float,
    failing: str,
    *,
    at_once: bool = False,
    failures: Failures = (DatabaseError,),
) -> None:
    """Do the work every so many seconds, for the first time after them or `at_once`.

    One of the `failures` is logged, as the sentence `failing` with what went wrong, and the work tried again in its time.
    """
    if not at_once:
        await asyncio.sleep(every)
    while True:
        try:
            await work()
        except failures as problem:
            log.warning("%s: %s", failing, problem)
        await asyncio.sleep(every)
