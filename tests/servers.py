"""Real MCP servers for tests: from Python, from npm over both transports, and some of our own.

`everything_http` and `modern_http` are fixtures: a conftest that wants them imports them. Nothing here needs Django.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from catalog.spawning import ApprovedCommand, StdioCommand, approve_check
from tests.prepare import NPM_COMMANDS

MODERN = Path(__file__).parent / "mcp_servers" / "modern_server.py"
FAULTY = Path(__file__).parent / "mcp_servers" / "faulty_server.py"
TELLING = Path(__file__).parent / "mcp_servers" / "telling_server.py"
START = 15.0


def approved(command: StdioCommand) -> ApprovedCommand:
    return approve_check(command, command.fingerprint())


def time_command() -> StdioCommand:
    """`mcp-server-time`, installed beside this Python."""
    return StdioCommand(_from_pypi("mcp-server-time"), ("--local-timezone", "UTC"))


def everything_stdio_command() -> StdioCommand:
    """`@modelcontextprotocol/server-everything` over stdio."""
    return StdioCommand(_from_npm("everything"), ("stdio",))


def six_commands(folder: Path) -> dict[str, StdioCommand]:
    """Six servers that other people keep, four of npm and two of PyPI; in `folder` is a Git repository."""
    graph = {"MEMORY_FILE_PATH": str(folder / "graph.jsonl")}
    return {
        "time": time_command(),
        "git": StdioCommand(_from_pypi("mcp-server-git"), ("--repository", str(folder))),
        "everything": everything_stdio_command(),
        "files": StdioCommand(_from_npm("filesystem"), (str(folder),)),
        "memory": StdioCommand(_from_npm("memory"), (), graph),
        "thinking": StdioCommand(_from_npm("sequential-thinking")),
    }


def faulty_command(mode: str, marker: Path | None = None, **env: str) -> StdioCommand:
    """Our own faulty server; its modes are listed in its file. `marker` is a path by which its processes are known."""
    return StdioCommand(sys.executable, (str(FAULTY), mode, *([str(marker)] if marker else [])), env)


def telling_command(tools: Path) -> StdioCommand:
    """A server with prompts and resources, whose tools are those of a file, and which says when they changed."""
    return StdioCommand(sys.executable, (str(TELLING), str(tools)))


@pytest.fixture(scope="session")
def everything_http() -> Iterator[str]:
    """The address of `@modelcontextprotocol/server-everything` over Streamable HTTP."""
    port = _free_port()
    with _served(port, [_from_npm("everything"), "streamableHttp"], PORT=str(port)):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture(scope="session")
def everything_sse() -> Iterator[str]:
    """The address of `@modelcontextprotocol/server-everything` over SSE alone, the transport before Streamable HTTP."""
    port = _free_port()
    with _served(port, [_from_npm("everything"), "sse"], PORT=str(port)):
        yield f"http://127.0.0.1:{port}/sse"


@pytest.fixture(scope="session")
def modern_http() -> Iterator[str]:
    """The address of our own server of the newest protocol."""
    port = _free_port()
    with _served(port, [sys.executable, str(MODERN), str(port)]):
        yield f"http://127.0.0.1:{port}/mcp"


@contextmanager
def _served(port: int, line: list[str], **environment: str) -> Iterator[None]:
    nothing = subprocess.DEVNULL
    environment = {"PATH": os.environ.get("PATH", os.defpath), **environment}
    with subprocess.Popen(
        line, env=environment, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    ) as server:
        try:
            _wait_for(port, server)
            yield
        finally:
            os.killpg(server.pid, signal.SIGKILL)


def processes_naming(marker: Path) -> list[int]:
    """The processes in whose command line a path stands: a server's, its minder's and what they started."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and str(marker).encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def wait_until_gone(marker: Path, seconds: float = 5.0) -> list[int]:
    """Those that are still there after that time."""
    deadline = time.monotonic() + seconds
    while (there := processes_naming(marker)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return there


def _from_pypi(name: str) -> str:
    path = Path(sys.executable).with_name(name)
    if not path.exists():
        _lacking(name)
    return str(path)


def _from_npm(name: str) -> str:
    path = NPM_COMMANDS / f"mcp-server-{name}"
    if not shutil.which("node"):
        _lacking("node")
    if not path.exists():
        _lacking(f"@modelcontextprotocol/server-{name}")
    return str(path)


def _lacking(part: str) -> None:
    """Skip the test for want of `part`; in CI, fail it."""
    complete = bool(os.environ.get("PEGBOARD_TESTS_COMPLETE"))
    (pytest.fail if complete else pytest.skip)(f"{part} is not here; `python -m tests.prepare` gets it")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the server did not open its port")
