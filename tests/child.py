"""A Python process of its own, for what could take this one down or never end."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BOUNDED = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))\n"


def told_by_child(code: str, given: object, seconds: int) -> list[Any]:
    """What the code prints, one JSON text a line. It reads `given` as JSON from its stdin, and may compute for so long.

    Fails if the process dies, by whatever cause.
    """
    line = [sys.executable, "-c", BOUNDED.format(seconds=seconds) + code]
    done = subprocess.run(line, cwd=ROOT, input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, f"it ended with {done.returncode}, having told {done.stdout!r}: {done.stderr[-2_000:]}"
    return [json.loads(told) for told in done.stdout.splitlines()]
