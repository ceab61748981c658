"""The sandbox in which servers are started, where bubblewrap can make one.

It is modest: a server reads files and uses the network as MCP servers must, sees no other process, and writes to its
working folder, /tmp and the caches of package runners only. What Pegboard names as hidden it does not see.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from catalog.sources.stdio_command import StdioCommand

SandboxMode = Literal["auto", "required", "off"]
"""`auto` uses bubblewrap where it works, `required` starts nothing without it."""

_CACHES = (".cache", ".npm", ".local/share/uv", ".bun", ".deno")
_RUNNERS = {
    "npx": (".npm",),
    "npm": (".npm",),
    "uvx": (".cache", ".local/share/uv"),
    "uv": (".cache", ".local/share/uv"),
    "bunx": (".bun",),
    "deno": (".cache", ".deno"),
}
"""The caches that a package runner cannot do without: made before it starts, as inside it could not make them."""
_ISOLATED = ("--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
_READABLE = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


@dataclass(frozen=True, slots=True)
class SandboxState:
    """Whether servers are started in a sandbox, and that in a sentence for an admin."""

    in_use: bool
    explanation: str

    def __bool__(self) -> bool:
        return self.in_use

    def __str__(self) -> str:
        return self.explanation


def sandbox_state(mode: SandboxMode, obstacle: str) -> SandboxState:
    """`obstacle` is why bubblewrap cannot be used, empty if it can."""
    if mode == "off":
        return SandboxState(False, "The sandbox is switched off: servers run with all rights of Pegboard itself.")
    if not obstacle:
        return SandboxState(
            True, "Servers run in a bubblewrap sandbox: they read files, use the network and write little."
        )
    outcome = "no server is started" if mode == "required" else "servers run with all rights of Pegboard itself"
    return SandboxState(False, f"There is no sandbox, since {obstacle}: {outcome}.")


def probe_line(bubblewrap: str) -> list[str]:
    return [bubblewrap, *_ISOLATED, *_READABLE, "true"]


def sandbox_line(bubblewrap: str, command: StdioCommand, hidden: Sequence[Path]) -> list[str]:
    """What stands before the command. `hidden` are files and folders that the server does not see."""
    home = Path(os.environ.get("HOME", "/"))
    for cache in _RUNNERS.get(Path(command.command).name, ()):
        (home / cache).mkdir(parents=True, exist_ok=True)
    line = [bubblewrap, *_ISOLATED, *_READABLE]
    for folder in ("/tmp", *(str(home / cache) for cache in _CACHES), command.cwd):  # noqa: S108
        line += ["--bind-try", folder, folder] if folder else []
    for path in hidden:
        line += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind-try", os.devnull, str(path)]
    return [*line, "--chdir", command.cwd or str(Path.cwd()), "--"]
