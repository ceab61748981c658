"""Work that outlives the request that began it: a few threads of this process, each with a database connection of its own."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import connections

log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(max_workers=3, thread_name_prefix="background")
_line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="background-line")


def submit(work: Callable[[], None]) -> "Future[None]":
    """Run `work` soon. What it raises is logged; it is for `work` to tell its row what went wrong."""
    return _threads.submit(_run, work)


def submit_in_line(work: Callable[[], None]) -> "Future[None]":
    """As `submit`, one at a time in the order given: for work that is long and would do the same twice side by side."""
    return _line.submit(_run, work)


def _run(work: Callable[[], None]) -> None:
    try:
        work()
    except Exception:
        log.exception("background work failed")
        raise
    finally:
        connections.close_all()
