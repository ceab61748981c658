"""The tests' model endpoint in a process of its own, so that it does not share an interpreter with what is measured."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVE = (
    "import sys; from tests.model_endpoint import running_endpoint\n"
    "with running_endpoint() as endpoint:\n"
    "    print(endpoint.url(), flush=True); sys.stdin.read()\n"
)


@contextmanager
def endpoint_process() -> Iterator[str]:
    """The address of an endpoint that plays a sensible agent."""
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(  # noqa: S603
        command,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process.stdout.readline().strip() if process.stdout else ""
        finally:
            process.send_signal(signal.SIGTERM)
