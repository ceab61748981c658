"""The program between Pegboard and a server that it started: when either of them ends, it ends all that is below it.

Started by catalog/spawning.py and by nothing else, as `python -I -S spawn_minder.py LIFELINE COMMAND ARGUMENT …`.
The lifeline is a pipe that Pegboard holds open; its end, however it comes about, is the word to stop.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

PATIENCE = 1.0
"""Seconds between asking processes to end and killing them."""
KILLING = 2.0
LOOK_AGAIN = 1.0
MOST_PROCESSES = 256
OVERGROWN = 253
"""The exit status that says that there were more; catalog/sources/mcp_failures.py has the same number."""
LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_NOFILE, 4_096),
    (resource.RLIMIT_FSIZE, 1 << 30),
    (resource.RLIMIT_DATA, 4 << 30),
)
"""For each process of a server: bytes of a file and of memory of its own. Address space is left alone, as Node and Java
reserve far more of it than they use, and CPU time, as a server may be kept for days."""
_SET_CHILD_SUBREAPER = 36
_STOPPING = frozenset((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))


def main(lifeline: int, command: list[str]) -> int:
    """The exit status of the server, as a shell would give it."""
    os.set_inheritable(lifeline, False)
    _adopt_orphans()
    wakeup = _hear_signals()
    parent = os.getppid()
    _limit()
    try:
        server = os.posix_spawn(
            command[0], command, _environment(), setpgroup=0, setsigdef=(signal.SIGPIPE, *_STOPPING, signal.SIGCHLD)
        )
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    _let_go_of_pipes()
    try:
        status = _wait(server, lifeline, wakeup, parent)
    finally:
        _end_all(server)
    return 128 if status is None else status


def _environment() -> dict[str, str]:
    """As it came: Python itself may have added LC_CTYPE at its start."""
    return {name: value for name, value in os.environ.items() if name != "LC_CTYPE"}


def _limit() -> None:
    """Its own limits, which all that it starts inherits and cannot raise."""
    for kind, most in LIMITS:
        _, allowed = resource.getrlimit(kind)
        least = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        with contextlib.suppress(ValueError, OSError):  # a system without such a limit
            resource.setrlimit(kind, (least, least))


def _adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own, so that none gets away (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _hear_signals() -> int:
    """A descriptor from which each signal that arrives can be read as one byte."""
    ear, mouth = os.pipe()
    os.set_blocking(ear, False)
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *_STOPPING):
        signal.signal(number, lambda *_: None)
    return ear


def _let_go_of_pipes() -> None:
    """The server's pipes are its own: they must end when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _wait(server: int, lifeline: int, wakeup: int, parent: int) -> int | None:
    """The status with which the server ended, or None when it is to be stopped."""
    while True:
        status = _reap(server)
        if status is not None:
            return status
        ready, _, _ = select.select([lifeline, wakeup], [], [], LOOK_AGAIN)
        if lifeline in ready or os.getppid() != parent:
            return None
        if wakeup in ready and not _STOPPING.isdisjoint(os.read(wakeup, 64)):
            return None
        if _is_overgrown():
            return OVERGROWN


def _is_overgrown() -> bool:
    """Whether more processes are below this one than any server needs (Linux only)."""
    found = [os.getpid()]
    for process in found:
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found.extend(int(word) for word in children.read_text().split())
        if len(found) > MOST_PROCESSES + 1:
            return True
    return False


def _reap(server: int) -> int | None:
    """Take note of the children that ended; the status of the server if it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                break
            if child == server:
                code = os.waitstatus_to_exitcode(status)
                found = code if code >= 0 else 128 - code
    return found


def _end_all(server: int) -> None:
    asked: set[int] = set()
    start = time.monotonic()
    while (elapsed := time.monotonic() - start) < PATIENCE + KILLING:
        _reap(server)
        remaining = _remaining(server)
        if not remaining:
            return
        for process in remaining:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if elapsed > PATIENCE:
                    os.kill(process, signal.SIGKILL)
                elif process not in asked:
                    os.kill(process, signal.SIGTERM)
                    asked.add(process)
        time.sleep(0.02)


def _remaining(server: int) -> list[int]:
    """The processes below this one; where they cannot be listed, the server's group (as a negative number)."""
    if sys.platform == "linux":
        return _descendants(os.getpid())
    try:
        os.kill(-server, 0)
    except ProcessLookupError:
        return []
    except PermissionError:
        pass
    return [-server]


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                state, parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
                if state != "Z":
                    children.setdefault(int(parent), []).append(int(folder.name))
    found = list(children.get(root, ()))
    for process in found:
        found.extend(children.get(process, ()))
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
