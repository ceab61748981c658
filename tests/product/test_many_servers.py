"""Six servers that other people keep, and three faulty ones, at once: read, searched, called, killed in mid-call."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.indexing import ranking_of
from catalog.models import Catalog, Contact, Drift, Server, Tool
from catalog.search.choosing import choose
from catalog.sessions.current import close_sessions
from catalog.shaping import place_server
from catalog.spawning import StdioCommand
from catalog.syncing import sync
from playground.agent.tool_runner import ToolResult
from playground.runs.executing import start
from playground.runs.links import mcp_sessions
from playground.runs.nested import AgentRuns
from playground.runs.tool_calls import CatalogTools
from tests.conftest import lacking
from tests.servers import faulty_command, processes_naming, six_commands

pytestmark = pytest.mark.django_db(transaction=True)
CHANGING = Path(__file__).parents[1] / "mcp_servers" / "changing_server.py"
ASKED = {
    "current time in a timezone": "time__get_current_time",
    "working tree status": "git__git_status",
    "sum of two numbers": "everything__get-sum",
    "directories that may be accessed": "files__list_allowed_directories",
    "read the whole knowledge graph": "memory__read_graph",
    "dynamic and reflective problem-solving": "thinking__sequentialthinking",
}
"""A search for each of the six, and the tool of it that is among the first five."""
THOUGHT = {"thought": "Begin.", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}


def connected(slug: str, command: StdioCommand) -> Server:
    server = Server(slug=slug, title=slug.title(), kind=Server.Kind.MCP, transport=Server.Transport.STDIO)
    server.command, server.args, server.env, server.cwd = command.command, list(command.args), dict(command.env), ""
    server.approve(User.objects.get_or_create(username="an-admin")[0], timezone.now())
    server.save()
    return server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "workbench"
    if not shutil.which("git"):
        lacking("git")
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


@pytest_asyncio.fixture
async def run() -> AsyncIterator[CatalogTools]:
    yield CatalogTools("a-run", set(), AgentRuns(uuid4(), start))
    await close_sessions()


async def call(run: CatalogTools, name: str, **arguments: object) -> ToolResult:
    """A call of a tool as it is offered now."""
    server, _, tool = name.partition("__")
    row = await Tool.objects.select_related("server").aget(server__slug=server, name=tool)
    return await run.run(row.to_spec(), arguments)


def note(result: ToolResult) -> str:
    assert result.route
    return result.route.hops[-1].note


def workers(marker: Path) -> list[int]:
    """The processes of a server itself, without the sandbox and the minder around it."""
    around = ("bwrap", "spawn_minder")
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes().decode() for pid in processes_naming(marker)}
    return [pid for pid, line in lines.items() if not any(word in line for word in around)]


async def test_six_servers_are_read_searched_and_called_side_by_side_and_two_are_killed_in_mid_call(
    folder: Path, run: CatalogTools
) -> None:
    servers = [await asyncio.to_thread(connected, slug, line) for slug, line in six_commands(folder).items()]
    await asyncio.gather(*(asyncio.to_thread(sync, server) for server in servers))
    catalog = await asyncio.to_thread(all_in_one, servers)
    engine = choose("pegboard")
    for query, name in ASKED.items():
        ranking = await asyncio.to_thread(ranking_of, catalog, engine, query, 5)
        assert name in [hit.tool.name for hit in ranking.hits], query

    said = await asyncio.gather(
        call(run, "time__get_current_time", timezone="UTC"),
        call(run, "git__git_status", repo_path=str(folder)),
        call(run, "everything__get-sum", a=1, b=2),
        call(run, "files__list_allowed_directories"),
        call(run, "memory__read_graph"),
        call(run, "thinking__sequentialthinking", **THOUGHT),
    )
    words = ["UTC", "No commits yet", "The sum of 1 and 2 is 3.", str(folder), "entities", "thoughtNumber"]
    for result, word in zip(said, words, strict=True):
        assert word in result.content
        assert not result.is_error
        assert note(result).startswith("started in ")

    struck = await asyncio.to_thread(workers, folder)
    assert len(struck) == 2, "the servers of files and of git name the folder"
    for pid in struck:
        os.kill(pid, signal.SIGSTOP)
    in_flight = [
        asyncio.create_task(call(run, "git__git_status", repo_path=str(folder))),
        asyncio.create_task(call(run, "files__list_allowed_directories")),
    ]
    others = [*await asyncio.gather(call(run, "memory__read_graph"), call(run, "everything__get-sum", a=2, b=2))]
    assert not any(task.done() for task in in_flight)
    for pid in struck:
        os.kill(pid, signal.SIGKILL)
    for lost in await asyncio.gather(*in_flight):
        assert lost.is_error
        assert "killed by signal 9" in lost.content
        assert "Whether the call was carried out is not known; it was not sent again." in lost.content
    fresh = await asyncio.gather(
        call(run, "git__git_status", repo_path=str(folder)), call(run, "files__list_allowed_directories")
    )
    others += await asyncio.gather(
        call(run, "time__get_current_time", timezone="UTC"), call(run, "thinking__sequentialthinking", **THOUGHT)
    )
    assert [(result.is_error, note(result).split()[0]) for result in fresh] == [(False, "started")] * 2
    assert [(result.is_error, note(result).split()[0]) for result in others] == [(False, "session")] * 4
    failed = Contact.objects.exclude(problem="").values_list("server__slug", flat=True)
    assert {slug async for slug in failed} == {"git", "files"}


def all_in_one(servers: list[Server]) -> Catalog:
    catalog = Catalog.objects.create(slug="bench", title="Bench")
    for server in servers:
        assert server.tools.exists(), server.slug
        place_server(catalog, server, "everything")
    return catalog


async def test_a_server_that_changes_one_that_answers_too_much_and_one_that_hangs_leave_a_good_one_alone(
    tmp_path: Path, run: CatalogTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_sessions, "LEAST_FOR_CALL", 3.0)
    monkeypatch.setattr(mcp_sessions, "CALL_WITHIN", 3.0)
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"name": "find", "inputSchema": {"type": "object"}}]))
    commands = {
        "changing": StdioCommand(sys.executable, (str(CHANGING), str(tools))),
        "huge": faulty_command("hugecall"),
        "hanging": faulty_command("hangcall"),
        "good": faulty_command("good"),
    }
    servers = [await asyncio.to_thread(connected, slug, line) for slug, line in commands.items()]
    await asyncio.gather(*(asyncio.to_thread(sync, server) for server in servers))
    asked = ("changing__find", "huge__echo", "hanging__echo", "good__echo")
    calls = [asyncio.create_task(call(run, name)) for name in asked]
    good = await calls[-1]
    assert (good.content, calls[2].done()) == ("hello", False)
    changed = {"type": "object", "properties": {"name": {"type": "integer"}}, "required": ["name"]}
    tools.write_text(json.dumps([{"name": "find", "inputSchema": changed}]))
    await asyncio.to_thread(sync, servers[0])
    found, huge, hanging, _ = await asyncio.gather(*calls)
    assert not found.is_error
    assert "a message of more than 10 MB and was ended" in huge.content
    assert "did not answer in time" in hanging.content
    assert huge.is_error and hanging.is_error
    assert [drift.kinds async for drift in Drift.objects.waiting()] == [["parameters"]]
    assert note(await call(run, "good__echo")).startswith("session warm for ")
