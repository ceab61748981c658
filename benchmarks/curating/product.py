"""The product itself, started in a process and a state folder of its own, and a person who is signed in to it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds within which anything has to end."""
ASK_EVERY = 0.1
_LINK = re.compile(r"(http://[^/\s]+)(/sign-in/\S+)")


class NotAsExpectedError(Exception):
    """The product answered with something else: figures would be of something else."""


@dataclass
class Person:
    """Asks for pages and sends forms as a browser does."""

    pages: httpx.Client
    process: int
    delays: list[float] = field(default_factory=list)

    def get(self, address: str, target: str = "") -> httpx.Response:
        headers = {"HX-Request": "true", "HX-Target": target} if target else {}
        return _checked(self.pages.get(address, headers=headers))

    def post(self, address: str, said: Any = None, file: bytes | None = None, target: str = "") -> httpx.Response:
        """Redirects are followed; `said` are the fields of the form."""
        headers = {"X-CSRFToken": self.pages.cookies["csrftoken"]}
        headers |= {"HX-Request": "true", "HX-Target": target} if target else {}
        files = {"file": ("tools.json", file)} if file is not None else None
        return _checked(self.pages.post(address, data=said or {}, files=files, headers=headers))

    def until(self, address: str, over: str, glance: str = "", target: str = "") -> httpx.Response:
        """Ask for a page, or the part of it that asks for itself, until it has the text; meanwhile note how long another page takes."""
        end = perf_counter() + PATIENCE
        while perf_counter() < end:
            page = self.get(address, target)
            if over in page.text:
                return page
            if glance:
                self.delays.append(timed(lambda: self.get(glance)))
            sleep(ASK_EVERY)
        raise NotAsExpectedError(f"{address} never said {over}")

    def most_memory(self) -> int:
        """Bytes that the server's process had at most, those that it started apart."""
        told = Path(f"/proc/{self.process}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+) kB", told)[0]) * 1024

    def memory(self) -> int:
        """Bytes that it has now."""
        told = Path(f"/proc/{self.process}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+) kB", told)[0]) * 1024

    def cpu(self) -> float:
        """Seconds of processors that the server's process took so far."""
        told = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def timed(work: Any) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


@contextmanager
def product(state: Path | None = None) -> Iterator[Person]:
    """`state` is a folder that is kept; without it, the state goes with the process."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "manage.py", "start", "--port", "0", "--no-sample"]
        surroundings = {**os.environ, "PEGBOARD_STATE": str(state or folder), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
            try:
                address, link = _link(process)
                with httpx.Client(base_url=address, follow_redirects=True, timeout=PATIENCE) as pages:
                    pages.get(link)
                    yield Person(pages, process.pid)
            finally:
                process.send_signal(signal.SIGINT)


def _link(process: "subprocess.Popen[str]") -> tuple[str, str]:
    for line in process.stdout or ():
        if found := _LINK.search(line):
            return found[1], found[2]
    raise NotAsExpectedError("the product did not start")


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.status_code != httpx.codes.OK:
        raise NotAsExpectedError(f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text[:500]}")
    return answer
