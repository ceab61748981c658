"""The first command, as a newcomer gives it: a fresh state, a link that works once, a second start that keeps everything."""

import contextlib
import http.cookiejar
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/sign-in/\S+")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def started(state: Path, port: int, *options: str) -> Iterator[re.Match[str]]:
    """The product as a process of its own; yields the link that it prints."""
    environment = {**os.environ, "PEGBOARD_STATE": str(state), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "manage.py", "start", "--port", str(port), *options]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        link = next(filter(None, map(LINK.search, process.stdout)), None)
        assert link is not None, "it printed no link"
        yield link
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert process.returncode == 0


class Visitor:
    """A browser as far as cookies go."""

    def __init__(self) -> None:
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)

    def get(self, url: str) -> str:
        with self._opener.open(url, timeout=20) as answer:
            return str(answer.read().decode())


def test_a_first_start_loads_the_sample_and_a_second_keeps_everything(tmp_path: Path) -> None:
    with started(tmp_path, free_port()) as link:
        visitor = Visitor()
        assert "Home" in visitor.get(link[0])
        assert "notify_channel" in visitor.get(f"{link[1]}/search/?catalog=office-agent&q=notify+channel")
        with pytest.raises(urllib.error.HTTPError) as refusal:
            Visitor().get(link[0])
        assert refusal.value.code == 410
        refusal.value.close()
        assert "Sign in" in Visitor().get(f"{link[1]}/servers/")
    assert {path.name for path in tmp_path.iterdir()} >= {"pegboard.sqlite3", "django.key", "index"}
    assert (tmp_path / "django.key").stat().st_mode & 0o077 == 0

    with started(tmp_path, free_port()) as link:
        visitor = Visitor()
        assert "Home" in visitor.get(link[0])
        assert "Office agent" in visitor.get(f"{link[1]}/catalogs/")


def test_a_start_without_the_sample_is_empty(tmp_path: Path) -> None:
    with started(tmp_path, free_port(), "--no-sample") as link:
        visitor = Visitor()
        visitor.get(link[0])
        assert "Office agent" not in visitor.get(f"{link[1]}/catalogs/")


def refused(*options: str) -> str:
    command = [sys.executable, "manage.py", "start", *options]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert outcome.returncode == 1
    return outcome.stderr


def test_a_taken_port_is_said_and_nothing_is_touched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert f"Port {port} is in use" in refused("--port", str(port))


def test_an_address_that_others_reach_is_refused_without_https() -> None:
    assert "PEGBOARD_HTTPS" in refused("--host", "0.0.0.0")
