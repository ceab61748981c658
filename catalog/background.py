"""Work that outlives the request that began it: a few threads of this process, each with a database connection of its own."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

from django.db import connections

from catalog.giving_back import give_back
from catalog.origins import carried

log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(max_workers=3, thread_name_prefix="background")
_line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="background-line")
_stopping = Event()

A_MOMENT = 0.4
"""Seconds that a request waits at most for work that is mostly short."""


class StoppedError(Exception):
    """The process is about to end, and long work with it."""


def submit(work: Callable[[], None]) -> "Future[None]":
    """Run `work` soon. What it raises is logged; it is for `work` to tell its row what went wrong."""
    return _threads.submit(_run, carried(work))


def submit_for_page(work: Callable[[], None]) -> None:
    """As `submit`, for a request whose answer leads to a page that tells of the work: what is short is over by then."""
    over = Event()

    def work_and_tell() -> None:
        try:
            work()
        finally:
            over.set()

    submit(work_and_tell)
    over.wait(A_MOMENT)


def submit_in_line(work: Callable[[], None]) -> "Future[None]":
    """As `submit`, one at a time in the order given: for work that is long and would do the same twice side by side."""
    return _line.submit(_run, carried(work))


def go_on() -> None:
    """For long work, between two steps. Raises StoppedError when the process is to end."""
    if _stopping.is_set():
        raise StoppedError


def stop() -> None:
    """Let the process end: work in line stops at its next step, and what waits there is not begun."""
    _stopping.set()
    _line.shutdown(wait=False, cancel_futures=True)


def _run(work: Callable[[], None]) -> None:
    try:
        work()
    except StoppedError:
        return
    except Exception:
        log.exception("background work failed")
        raise
    finally:
        connections.close_all()
        give_back()
