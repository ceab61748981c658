"""Commands are started in one place, only when approved, with nothing that was not declared, and they end with us."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.sources import mcp
from catalog.sources.errors import SourceError
from catalog.spawning import ApprovedCommand, NotApproved, StdioCommand, approve_check, sandbox_in_use
from tests.servers import approved, faulty_command, processes_naming, wait_until_gone

ROOT = Path(__file__).parents[2]
STARTERS = {"catalog/spawning.py", "catalog/spawn_minder.py"}
FORBIDDEN = {"subprocess", "pty", "create_subprocess_exec", "create_subprocess_shell", "open_process", "run_process"}
FORBIDDEN |= {"StdioServerParameters", "stdio_client", "posix_spawn", "posix_spawnp", "popen", "forkpty", "startfile"}
QUICK = mcp.Timeouts(start=10, call=3)


def starting_names(path: Path) -> list[str]:
    """Where a file names what could start a command."""
    return [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {name}"
        for node in ast.walk(ast.parse(path.read_text()))
        for name in names_in(node)
        if name in FORBIDDEN
        or name.startswith(("os.exec", "os.spawn", "os.system", "os.fork", "os.posix_spawn", "os.popen"))
    ]


def names_in(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [part for alias in names for part in alias.name.split(".")]
        case ast.ImportFrom(module=module, names=names):
            return [
                *str(module).split("."),
                *(f"{module}.{alias.name}" for alias in names),
                *(alias.name for alias in names),
            ]
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return [name, f"{owner}.{name}"]
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return [name]
    return []


@pytest.mark.threat("T02")
def test_nothing_else_starts_commands() -> None:
    files = [path for folder in ("catalog", "playground", "config") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 20
    assert [
        found for path in files if str(path.relative_to(ROOT)) not in STARTERS for found in starting_names(path)
    ] == []
    assert all(starting_names(ROOT / path) for path in STARTERS)


@pytest.mark.threat("T02")
def test_the_test_above_would_see_a_new_starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    for line in ("import subprocess", "from os import system", "os.execv(a, b)", "x.create_subprocess_exec(a)", "import pty",
                 "from mcp import StdioServerParameters", "from mcp.client.stdio import stdio_client as s", "os.popen(a)"):  # fmt: skip
        (tmp_path / "new.py").write_text(line)
        assert starting_names(tmp_path / "new.py"), line


@pytest.mark.threat("T02")
def test_nothing_imports_the_minder() -> None:
    files = [path for folder in ("catalog", "playground", "config") for path in (ROOT / folder).rglob("*.py")]
    assert [
        path for path in files if "import spawn_minder" in path.read_text() or "spawn_minder import" in path.read_text()
    ] == []


@pytest.mark.threat("T03")
def test_only_the_approved_command_passes() -> None:
    command = StdioCommand("/usr/bin/touch", ("/tmp/a",), {"TOKEN": "x"}, "/tmp")
    fingerprint = command.fingerprint()
    assert approve_check(command, fingerprint).command == command
    for changed in (
        replace(command, args=("/tmp/b",)),
        replace(command, cwd="/"),
        replace(command, env={"TOKEN ": "x"}),
    ):
        with pytest.raises(NotApproved, match="An admin must approve"):
            approve_check(changed, fingerprint)


@pytest.mark.threat("T04")
def test_approval_does_not_open_what_may_never_be_started() -> None:
    command = StdioCommand("bash", ("-c", "id"))
    with pytest.raises(NotApproved, match="may not be started"):
        approve_check(command, command.fingerprint())


def test_an_approved_command_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError):
        ApprovedCommand(StdioCommand("id"), object())


@pytest.mark.threat("T05")
async def test_a_server_gets_what_was_declared_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "x")
    leak = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leak, True)
    try:
        async with mcp.connect(
            mcp.StdioConnection(approved(faulty_command("environment", TOKEN="t"))), QUICK
        ) as session:
            told = json.loads((await session.call("echo", {})).content_text)
    finally:
        os.close(leak)
    assert told["env"].keys() - {"PWD"} == {"PATH", "HOME", "LANG", "TOKEN"}
    assert told["descriptors"] == [0, 1, 2]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (StdioCommand("no-such-command"), "no-such-command is not on this machine. Install it, or give its full path."),
        (StdioCommand(sys.executable, ("-m", "x"), cwd="/no/such/folder"), "The folder /no/such/folder"),
    ],
)
async def test_a_command_that_cannot_be_started_says_why(command: StdioCommand, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        await mcp.read(mcp.StdioConnection(approved(command)))
    assert str(caught.value).startswith(sentence)


async def test_a_file_that_is_no_program_says_so(tmp_path: Path) -> None:
    file = tmp_path / "server"
    file.write_text("not a program")
    file.chmod(0o755)
    with pytest.raises(SourceError, match=r"exit status 127.*Exec format error"):
        await mcp.read(mcp.StdioConnection(approved(StdioCommand(str(file))), sandbox="off"), timeouts=QUICK)


LINGERING = pytest.mark.parametrize("mode", ["ignoreeof", "grandchild", "daemon"])


@LINGERING
async def test_nothing_of_a_server_survives_its_closing(mode: str, tmp_path: Path) -> None:
    async with mcp.connect(mcp.StdioConnection(approved(faulty_command(mode, tmp_path))), QUICK):
        assert len(processes_naming(tmp_path)) >= 2
        started = time.monotonic()
    assert time.monotonic() - started < 20
    assert wait_until_gone(tmp_path, 0.5) == []


@LINGERING
async def test_nothing_survives_the_server_itself(mode: str, tmp_path: Path) -> None:
    async with mcp.connect(mcp.StdioConnection(approved(faulty_command(mode, tmp_path))), QUICK):
        minder, *_ = sorted(processes_naming(tmp_path))
        for process in children_of(minder):
            os.kill(process, signal.SIGKILL)
        assert wait_until_gone(tmp_path) == []


def children_of(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


HOLDER = """
import asyncio, os, sys, time
from pathlib import Path
from catalog.sources import mcp
from tests.servers import approved, faulty_command
async def main():
    async with mcp.connect(mcp.StdioConnection(approved(faulty_command(sys.argv[1], Path(os.environ["MARKER"]))))):
        print("connected", flush=True)
        time.sleep(60)
asyncio.run(main())
"""


@pytest.mark.threat("T05")
@LINGERING
def test_nothing_survives_when_we_are_killed(mode: str, tmp_path: Path) -> None:
    environment = os.environ | {"MARKER": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, mode], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "connected\n"
        assert len(processes_naming(tmp_path)) >= 2
        holder.kill()
    assert wait_until_gone(tmp_path) == []


def test_without_bubblewrap_the_sandbox_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not sandbox_in_use()
    assert "bubblewrap (bwrap) is not installed: servers run with all rights" in str(sandbox_in_use("auto"))
    assert "no server is started" in str(sandbox_in_use("required"))
    assert "switched off" in str(sandbox_in_use("off"))


def test_a_bubblewrap_that_does_not_work_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "bwrap"
    file.write_text("#!/bin/sh\nexit 1\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert "cannot make one on this machine" in str(sandbox_in_use())


@pytest.mark.threat("T05")
async def test_without_a_required_sandbox_nothing_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    connection = mcp.StdioConnection(approved(faulty_command("good")), sandbox="required")
    with pytest.raises(SourceError, match="There is no sandbox"):
        await mcp.read(connection, timeouts=QUICK)


PROBE = """
import json, os, sys
from pathlib import Path
def attempt(act):
    try:
        act()
    except OSError as error:
        return error.strerror
    return "done"
told = {
    "read": attempt(lambda: Path("/etc/hostname").read_text()),
    "write": attempt(lambda: Path("/etc/pegboard-was-here").write_text("x")),
    "write here": attempt(lambda: Path("here").write_text("x")),
    "hidden folder": os.listdir(sys.argv[1]),
    "hidden file": attempt(lambda: Path(sys.argv[2]).read_text()),
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
}
sys.stderr.write(json.dumps(told) + "\\n")
"""


@pytest.mark.threat("T05")
@pytest.mark.skipif(not sandbox_in_use(), reason=str(sandbox_in_use()))
async def test_the_sandbox_shows_what_is_needed_and_hides_what_was_named(tmp_path: Path) -> None:
    for name in ("work", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "data" / "db").write_text("rows")
    (tmp_path / "key").write_text("secret")
    (tmp_path / "work" / "probe.py").write_text(PROBE)
    command = StdioCommand(
        sys.executable, ("probe.py", str(tmp_path / "data"), str(tmp_path / "key")), cwd=str(tmp_path / "work")
    )
    hidden = (tmp_path / "data", tmp_path / "key")
    with pytest.raises(SourceError) as caught:
        await mcp.read(mcp.StdioConnection(approved(command), "required", hidden), timeouts=QUICK)
    told = json.loads(str(caught.value).partition("Its last words: ")[2])
    assert told.pop("processes") <= 3
    assert told == {
        "read": "done",
        "write": "Read-only file system",
        "write here": "done",
        "hidden folder": [],
        "hidden file": "Permission denied",
    }


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
async def test_a_command_found_on_the_path_is_started() -> None:
    with pytest.raises(SourceError, match="exit status 0"):
        await mcp.read(mcp.StdioConnection(approved(StdioCommand("node", ("/dev/null",)))), timeouts=QUICK)
