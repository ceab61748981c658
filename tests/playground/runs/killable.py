"""A server of its own on a copy of the test database, which a test may kill, and a presenter who is signed in to it."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
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
from playground.models import ChatModel

ROOT = Path(__file__).parents[3]
CSRF = "a" * 32


@dataclass
class KillableServer:
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

    def begin_run(self, catalog: Catalog, chat_model: ChatModel, task: str = "Go on") -> str:
        cookies = {settings.SESSION_COOKIE_NAME: self.cookie, "csrftoken": CSRF}
        form = {"catalog": catalog.slug, "chat_model": str(chat_model.pk), "task": task, "csrfmiddlewaretoken": CSRF}
        answer = httpx.post(f"http://127.0.0.1:{self.port}/playground/start/", data=form, cookies=cookies, timeout=30)
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


@contextmanager
def killable_server(client: Client, folder: Path) -> Iterator[KillableServer]:
    """Serving the rows as they are now, with the session of `client`."""
    shutil.copy(Path(settings.STATE_DIR) / "django.key", folder)
    shutil.copy(settings.ENCRYPTION_KEY_FILE, folder)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(folder / "pegboard.sqlite3")])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    server = KillableServer(folder, port, client.cookies[settings.SESSION_COOKIE_NAME].value)
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
