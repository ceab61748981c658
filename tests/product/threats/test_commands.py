"""No request starts a command, no change keeps an approval, and what is started is kept small (T01, T03, T04, T05)."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from catalog import background, spawn_minder
from catalog.connections import connection_of
from catalog.models import Catalog, Server
from catalog.roles import Role
from catalog.sources import mcp, mcp_failures
from catalog.sources.errors import SourceError
from catalog.sources.stdio_command import StdioCommand, command_warnings
from catalog.spawning import sandbox_in_use
from tests.forms import send
from tests.product.test_access import PARTS, ROUTES
from tests.servers import approved, wait_until_gone

QUICK = mcp.Timeouts(start=10, call=3)
TOUCH = shutil.which("touch") or "/usr/bin/touch"
_started: list[str] = []
sys.addaudithook(
    lambda event, args: (
        _started.append(str(args))
        if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork")
        else None
    )
)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that is there only if a command ran."""
    return tmp_path / "canary"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work for the background is done within the request."""
    monkeypatch.setattr(background, "submit", lambda work: work())
    monkeypatch.setattr(background, "submit_in_line", lambda work: work())


@pytest.fixture
def unapproved(team: Catalog, canary: Path) -> Server:
    return Server.objects.create(
        slug="touch",
        title="Touch",
        kind=Server.Kind.MCP,
        transport=Server.Transport.STDIO,
        command=TOUCH,
        args=[str(canary)],
    )


def bodies(canary: Path) -> Iterator[tuple[bytes | str, str]]:
    """The same wish in four spellings, first as a form, under every name that a form here or elsewhere has for it."""
    wish = {"transport": "stdio", "command": TOUCH, "args": [str(canary)]}
    fields = {
        **{key: json.dumps(value) if isinstance(value, list) else value for key, value in wish.items()},
        "title": "Touched",
        "command_line": f"{TOUCH} {canary}",
        "name_rule": "prefixed",
        "text": json.dumps({"mcpServers": {"touched": wish}}),
        "approved_hash": "x" * 64,
    }
    yield encode_multipart("x", fields), MULTIPART_CONTENT.replace("BoUnDaRyStRiNg", "x")
    yield json.dumps(wish), "application/json"
    yield "&".join(f"{key}={value}" for key, value in fields.items()), "application/x-www-form-urlencoded"
    yield f"transport: stdio\ncommand: {TOUCH}\nargs: [{canary}]\n", "application/yaml"


@pytest.mark.threat("T01")
@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_no_request_of_anyone_but_an_admin_starts_a_command(
    client_as: Callable[[Role], Client], unapproved: Server, canary: Path, at_once: None, role: Role
) -> None:
    client, parts = client_as(role), {**PARTS, "slug": "touch", "kind": "command"}
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    del _started[:]
    for route in ROUTES.values():
        address = "/" + str(route.pattern).replace("\\Z", "")
        for name in route.pattern.converters:
            converter = next(part for part in address.split("<") if part.partition(">")[0].endswith(name))
            address = address.replace(f"<{converter.partition('>')[0]}>", str(parts[name]))
        with transaction.atomic():
            client.cookies[settings.SESSION_COOKIE_NAME] = session  # as one address signs out
            for body, kind in list(bodies(canary))[: 4 if role == Role.CURATOR else 1]:
                answer = client.post(address, body, content_type=kind)
                assert answer.status_code < 500, address
                is_signed_out = answer.get("Location", "").startswith("/sign-in/")
                assert address.startswith("/sign-") or not is_signed_out, address
                if answer.status_code == 405:
                    break
            body = json.dumps({"command": TOUCH})
            assert client.put(address, body, content_type="application/json").status_code < 500
            transaction.set_rollback(True)  # as one deletes the server
    assert not canary.exists()
    assert [event for event in _started if str(canary) in event or TOUCH in event] == []


@pytest.mark.threat("T01")
def test_the_watch_above_would_see_a_command(canary: Path) -> None:
    del _started[:]
    os.system(f"{TOUCH} {canary}")
    assert canary.exists() and str(canary) in _started[0]


EDITS: dict[str, dict[str, Any]] = {
    "another command": {"command_line": "/bin/true one"},
    "a command that looks alike": {"command_line": "/bin/еcho one"},
    "another argument": {"command_line": "/bin/echo two"},
    "one more argument": {"command_line": "/bin/echo one ''"},
    "a space at the end": {"command_line": "/bin/echo 'one '"},
    "another folder": {"cwd": "/"},
    "another variable": {"environment": "KEY=value\nOTHER=1"},
    "another name of the variable": {"environment": "Key=value"},
}


@pytest.mark.threat("T03")
@pytest.mark.parametrize("edit", EDITS)
def test_each_change_of_what_is_started_takes_the_approval_away(
    client_as: Callable[[Role], Client], canary: Path, at_once: None, edit: str
) -> None:
    form = {"title": "Echo", "slug": "echo", "name_rule": "prefixed", "command_line": "/bin/echo one", "cwd": "/tmp"}
    form |= {"environment": "KEY=value", "sync_every": "0", "session_scope": "shared"}
    curator = client_as(Role.CURATOR)
    curator.post("/servers/add/command/", form)
    server = Server.objects.get(slug="echo")
    server.approved_hash, server.approved_at = server.config_hash, timezone.now()
    server.save()
    assert send(curator, "/servers/echo/edit/", {**form, "title": "Renamed"}).status_code == 302
    assert Server.objects.get(slug="echo").approval == "given"
    del _started[:]
    assert send(curator, "/servers/echo/edit/", {**form, **EDITS[edit]}).status_code == 302
    server.refresh_from_db()
    assert server.approval == "outdated"
    with pytest.raises(SourceError, match="must be approved by an admin"):
        connection_of(server)
    for act in ("test", "read"):
        curator.post(f"/servers/echo/{act}/")
    assert _started == []


@pytest.mark.threat("T04")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_user_is_told(tmp_path: Path) -> None:
    file = tmp_path / "server"
    file.touch(mode=0o755)
    assert command_warnings(StdioCommand(str(file))) == []
    os.chown(file, 12_345, 0)
    assert "belongs to another user" in " ".join(command_warnings(StdioCommand(str(file))))


PROBE = """
import json, os, resource, socket, sys
from pathlib import Path
mode, state, secret = sys.argv[1:4]
def attempt(act):
    try:
        act()
    except (OSError, MemoryError, ValueError) as error:
        return type(error).__name__
    return "done"
def others():
    told = b""
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            told += environ.read_bytes()
        except OSError:
            pass
    return told
def raised():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, 1 << 40))
told = {
    "five gigabytes": attempt(lambda: bytearray(5 << 30)),
    "a file of two gigabytes": attempt(lambda: os.truncate(os.open("large", os.O_CREAT | os.O_WRONLY), 2 << 30)),
    "core": resource.getrlimit(resource.RLIMIT_CORE)[1],
}
for name, what in told.items():
    print(json.dumps({name: what}), file=sys.stderr)
if mode == "boxed":
    for name, what in {
        "database": attempt(lambda: Path(state, "pegboard.sqlite3").read_bytes()),
        "key": attempt(lambda: Path(state, "secrets.key").read_bytes()),
        "index": sorted(os.listdir(state)),
        "secret of ours": secret.encode() in others(),
        "write /": attempt(lambda: Path("/pegboard").write_text("x")),
        "signal its parents": attempt(lambda: [os.kill(pid, 0) for pid in map(int, sys.argv[4:])]),
        "devices": attempt(lambda: os.open("/dev/mem", os.O_RDONLY)),
    }.items():
        print(json.dumps({name: what}), file=sys.stderr)
files = attempt(lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(5000)])
print(json.dumps({"files": files}), file=sys.stderr)
"""


async def told_by_probe(folder: Path, mode: str, *parents: int, hidden: tuple[Path, ...] = ()) -> dict[str, Any]:
    (folder / "probe.py").write_text(PROBE)
    arguments = ("probe.py", mode, str(hidden[0] if hidden else folder), "CANARY-of-ours", *map(str, parents))
    command = StdioCommand(sys.executable, arguments, cwd=str(folder))
    connection = mcp.StdioConnection(approved(command), "required" if mode == "boxed" else "off", hidden)
    with pytest.raises(SourceError) as caught:
        await mcp.read(connection, timeouts=QUICK)
    lines = str(caught.value).partition("Its last words: ")[2].splitlines()
    return {name: what for line in lines for name, what in json.loads(line).items()}


LIMITED = {"five gigabytes": "MemoryError", "a file of two gigabytes": "OSError", "core": 0, "files": "OSError"}


@pytest.mark.threat("T05")
async def test_a_started_server_cannot_fill_the_machine(tmp_path: Path) -> None:
    assert await told_by_probe(tmp_path, "open") == LIMITED


@pytest.mark.threat("T05")
@pytest.mark.skipif(not sandbox_in_use(), reason=str(sandbox_in_use()))
async def test_in_the_sandbox_a_server_finds_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "CANARY-of-ours")
    state, work = tmp_path / "state", tmp_path / "work"
    for folder in (state, work, state / "index"):
        folder.mkdir()
    for name in ("pegboard.sqlite3", "secrets.key"):
        (state / name).write_text("CANARY")
    told = await told_by_probe(work, "boxed", os.getpid(), os.getppid(), hidden=(state,))
    assert told == LIMITED | {
        "database": "FileNotFoundError",
        "key": "FileNotFoundError",
        "index": [],
        "secret of ours": False,
        "write /": "OSError",
        "signal its parents": "ProcessLookupError",
        "devices": "FileNotFoundError",
    }


BOMB = """
import subprocess, sys
for _ in range(300):
    subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL)
print("ready", file=sys.stderr, flush=True)
sys.stdin.read()
"""


@pytest.mark.threat("T05")
async def test_a_server_of_too_many_processes_is_ended_with_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "bomb.py").write_text(BOMB)
    command = StdioCommand(sys.executable, (str(tmp_path / "bomb.py"),))
    with pytest.raises(SourceError, match="more than 256 processes, and all were ended"):
        await mcp.read(mcp.StdioConnection(approved(command), "off"), timeouts=mcp.Timeouts(start=30))
    assert wait_until_gone(tmp_path) == []


@pytest.mark.threat("T05")
def test_the_minder_and_its_reader_mean_the_same_status() -> None:
    assert spawn_minder.OVERGROWN == mcp_failures.OVERGROWN
    assert f"more than {spawn_minder.MOST_PROCESSES} processes" in mcp_failures._status(mcp_failures.OVERGROWN)
