"""The one place where a command is started: an MCP server over stdio that an admin approved, and nothing else.

The server gets the declared variables and PATH, HOME and LANG, no shell, and a process group of its own. A minder
between us and it ends everything below when the server ends, when we close, and when we are killed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from catalog.sources.approval import ApprovedCommand, NotApproved, approve_check
from catalog.sources.errors import SourceError
from catalog.sources.sandbox import SandboxMode, SandboxState, probe_line, sandbox_line, sandbox_state
from catalog.sources.stdio_command import StdioCommand, command_problems, command_warnings, resolved

__all__ = [
    "ApprovedCommand",
    "NotApproved",
    "SandboxMode",
    "Started",
    "StdioCommand",
    "approve_check",
    "command_problems",
    "command_warnings",
    "resolved",
    "sandbox_in_use",
    "start",
]

MINDER = Path(__file__).with_name("spawn_minder.py")
CLOSING = 1.0
"""Seconds that a server has to end by itself once its input ends."""
ENDING = 4.0
"""Seconds that its minder has to end it."""
PIPE_ENDED = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)


def sandbox_in_use(mode: SandboxMode = "auto") -> SandboxState:
    bubblewrap = shutil.which("bwrap")
    if mode == "off" or bubblewrap is None:
        return sandbox_state(mode, "bubblewrap (bwrap) is not installed")
    return sandbox_state(mode, "" if _works(bubblewrap) else "bubblewrap (bwrap) cannot make one on this machine")


@dataclass(slots=True)
class Started:
    """A server that runs, with its pipes."""

    process: Process
    stdin: ByteSendStream
    stdout: ByteReceiveStream
    stderr: ByteReceiveStream
    lifeline: int | None

    def let_go(self) -> None:
        """Have the minder end it all, asking first and killing a second later."""
        if self.lifeline is not None:
            os.close(self.lifeline)
            self.lifeline = None

    async def exit_status(self, seconds: float) -> int | None:
        """The status with which it ends in that time, None if it does not."""
        with anyio.move_on_after(seconds):
            await self.process.wait()
        return self.process.returncode

    async def end(self) -> None:
        """Close its input, wait, then have its minder end it. Every wait is bounded: six seconds at the very most."""
        with suppress(*PIPE_ENDED), anyio.move_on_after(CLOSING):
            await self.stdin.aclose()
        if await self.exit_status(CLOSING) is None:
            self.let_go()
            if await self.exit_status(ENDING) is None:
                self.process.kill()
        self.let_go()
        for stream in (self.stdout, self.stderr):
            with suppress(*PIPE_ENDED), anyio.move_on_after(CLOSING):
                await stream.aclose()


async def start(approved: ApprovedCommand, sandbox: SandboxMode = "auto", hidden: Sequence[Path] = ()) -> Started:
    """Start it with pipes to stdin, stdout and stderr. `hidden` are files and folders that a sandbox does not show.

    Raises SourceError if the command is not there, cannot be started, or a required sandbox is missing.
    """
    line = await anyio.to_thread.run_sync(_line, approved.command, sandbox, hidden)
    lifeline, ours = os.pipe()
    try:
        process = await anyio.open_process(
            [sys.executable, "-I", "-S", str(MINDER), str(lifeline), *line],
            cwd=approved.command.cwd or None,
            env=_environment(approved.command),
            start_new_session=True,
            pass_fds=(lifeline,),
        )
    except BaseException as error:
        os.close(ours)
        if isinstance(error, OSError):
            raise SourceError(f"{approved.command.command} cannot be started: {error.strerror}.") from None
        raise
    finally:
        os.close(lifeline)
    pipes = cast(
        tuple[ByteSendStream, ByteReceiveStream, ByteReceiveStream], (process.stdin, process.stdout, process.stderr)
    )
    return Started(process, *pipes, ours)


def _line(command: StdioCommand, sandbox: SandboxMode, hidden: Sequence[Path]) -> list[str]:
    path = command.resolved()
    if path is None:
        raise SourceError(f"{command.command} is not on this machine. Install it, or give its full path.")
    if command.cwd and not Path(command.cwd).is_dir():
        raise SourceError(f"The folder {command.cwd} in which the server is to be started is not on this machine.")
    state = sandbox_in_use(sandbox)
    if sandbox == "required" and not state:
        raise SourceError(str(state))
    before = sandbox_line(str(shutil.which("bwrap")), command, hidden) if state else []
    return [*before, path, *command.args]


def _environment(command: StdioCommand) -> dict[str, str]:
    language = os.environ.get("LANG", "")
    base = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.environ.get("HOME", "/"),
        "LANG": "C.UTF-8" if language in ("", "C", "POSIX") else language,
    }
    return base | dict(command.env)


@cache
def _works(bubblewrap: str) -> bool:
    try:
        probe = subprocess.run(probe_line(bubblewrap), capture_output=True, check=False, timeout=5)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.returncode == 0
