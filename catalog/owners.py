"""Which processes are alive: each holds a lock on a file of its own, which the system frees whatever way it ends."""

import fcntl
import os
import uuid
from functools import cache
from pathlib import Path

from django.conf import settings


def _folder() -> Path:
    folder = Path(settings.STATE_DIR) / "owners"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _file(owner: str) -> Path:
    return _folder() / f"{owner}.lock"


class Owner:
    """A process that works on what others see, runs or imports or edits of many, for as long as it holds its lock."""

    def __init__(self) -> None:
        self.id = str(uuid.uuid4())
        draft = _folder() / f"{self.id}.new"
        self._file = os.open(draft, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        draft.rename(_file(self.id))  # seen by others only once it is locked

    def release(self) -> None:
        _file(self.id).unlink(missing_ok=True)
        os.close(self._file)


def is_alive(owner: str) -> bool:
    """Whether the process that made this owner still runs."""
    try:
        file = os.open(_file(owner), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    _file(owner).unlink(missing_ok=True)
    return False


def release() -> None:
    """Give up this process's ownership, if it ever took one."""
    if this_process.cache_info().currsize:
        this_process().release()
        this_process.cache_clear()


@cache
def this_process() -> Owner:
    """The owner of what this process works on; its lock is taken on first use."""
    return Owner()


def this_owner() -> str:
    """As rows note who works on them."""
    return this_process().id
