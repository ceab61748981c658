"""A serving process that ends, one way or another, while it executes runs."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from catalog.models import Catalog
from catalog.roles import Role
from playground.models import ChatModel

ROOT = Path(__file__).parents[3]
CSRF = "a" * 32
RUNS = 3


@dataclass
class Server:
    """A server of its own on a copy of the test database, and a presenter who is signed in to it."""

    state: Path
    port: int
    cookie: str
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        command = [sys.executable, "-m", "uvicorn", "tests.playground.runs.slow_server:application"]
        options = ["--port", str(self.port), "--log-level", "warning", "--ws", "websockets-sansio"]
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PEGBOARD_STATE": str(self.state), "PYTHONPATH": path}
        self.process = subprocess.Popen([*command, *options], cwd=ROOT, env=environment)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None, "the server did not start"
            time.sleep(0.05)

    def end_by(self, kind: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(kind)
        return self.process.wait(20)

    def begin_run(self, catalog: Catalog, chat_model: ChatModel) -> str:
        cookies = {settings.SESSION_COOKIE_NAME: self.cookie, "csrftoken": CSRF}
        task = {"catalog": catalog.slug, "chat_model": str(chat_model.pk), "task": "Go on", "csrfmiddlewaretoken": CSRF}
        answer = httpx.post(f"http://127.0.0.1:{self.port}/playground/start/", data=task, cookies=cookies, timeout=30)
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"].split("/")[2]

    @contextmanager
    def watched(self, run: str, after: int) -> Iterator[ClientConnection]:
        cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={self.cookie}"}
        address = f"ws://127.0.0.1:{self.port}/ws/runs/{run}/"
        with connect(address, additional_headers=cookie, origin=Origin(f"http://127.0.0.1:{self.port}")) as one:
            one.send(f'{{"after": {after}}}')
            yield one

    def rows(self, query: str, *values: Any) -> list[Any]:
        with sqlite3.connect(self.state / "pegboard.sqlite3") as database:
            return database.execute(query, values).fetchall()

    def seqs(self, run: str) -> list[int]:
        query = "SELECT seq FROM playground_runevent WHERE run_id = ? ORDER BY seq"
        return [seq for (seq,) in self.rows(query, run.replace("-", ""))]


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    return ChatModel.objects.create(title="Slow", name="planned/slow")


@pytest.fixture
def server(
    chat_model: ChatModel, team: Catalog, client_as: Callable[[Role], Client], tmp_path: Path
) -> Iterator[Server]:
    client = client_as(Role.PRESENTER)
    shutil.copy(Path(settings.STATE_DIR) / "django.key", tmp_path)
    shutil.copy(settings.ENCRYPTION_KEY_FILE, tmp_path)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "pegboard.sqlite3")])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    server = Server(tmp_path, port, client.cookies[settings.SESSION_COOKIE_NAME].value)
    server.start()
    yield server
    if server.process and server.process.poll() is None:
        server.end_by(signal.SIGKILL)


def last_seq(frame: str | bytes) -> int:
    found = re.search(r'id="run-seq" data-seq="(\d+)"', str(frame))
    assert found
    return int(found[1])


def told_upto(one: ClientConnection, seq: int) -> int:
    last = 0
    while last < seq:
        last = last_seq(one.recv(timeout=20))
    return last


def closing_code(one: ClientConnection) -> int | None:
    """The code with which the server closes, once everything before it was read."""
    with pytest.raises(ConnectionClosed) as closed:
        told_upto(one, 10_000)
    return closed.value.rcvd.code if closed.value.rcvd else None


def test_a_killed_process_loses_no_event_and_its_runs_are_interrupted_at_the_next_start(
    server: Server, team: Catalog, chat_model: ChatModel
) -> None:
    acknowledged: dict[str, int] = {}
    for run in [server.begin_run(team, chat_model) for _ in range(RUNS)]:
        with server.watched(run, 0) as one:
            acknowledged[run] = told_upto(one, 12)
    server.end_by(signal.SIGKILL)
    recorded = {run: server.seqs(run) for run in acknowledged}
    assert all(recorded[run] == list(range(1, len(recorded[run]) + 1)) for run in recorded)
    assert all(len(recorded[run]) >= acknowledged[run] for run in recorded)
    server.start()
    assert set(server.rows("SELECT status FROM playground_run")) == {("interrupted",)}
    for run in recorded:
        last = len(recorded[run]) + 1
        assert server.seqs(run) == [*recorded[run], last]
        with server.watched(run, acknowledged[run]) as one:
            assert told_upto(one, last) == last
            assert closing_code(one) == 1000


def test_a_process_that_is_told_to_end_interrupts_its_runs_and_goes(
    server: Server, team: Catalog, chat_model: ChatModel
) -> None:
    run = server.begin_run(team, chat_model)
    with server.watched(run, 0) as one:
        told_upto(one, 10)
        server.end_by(signal.SIGTERM)
        assert closing_code(one) == 1012
    ((kind, body),) = server.rows("SELECT kind, body FROM playground_runevent ORDER BY seq DESC LIMIT 1")
    assert server.rows("SELECT status FROM playground_run") == [("interrupted",)]
    assert kind == "run_ended"
    assert "The server was stopped." in body
