"""Running tests in a copy of the tree, and what came of it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.product.threats.taking_out.defence import Defence

PLUG_IN = "tests.product.threats.taking_out.telling"
LINES_SHOWN = 15


class Told(NamedTuple):
    """How one test, or one set of its parameters, went; see telling.py."""

    test: str
    outcome: str
    error: str
    asserts: bool
    threats: list[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is that of pytest, None where it had to be ended; `end` is the end of what it printed."""

    status: int | None
    tests: list[Told]
    end: str

    @property
    def failed(self) -> list[str]:
        """The tests that failed, each once."""
        return list(dict.fromkeys(told.test for told in self.tests if told.outcome == "failed"))


def run_tests(tree: Path, tests: Sequence[str], seconds: float) -> Outcome:
    """Run them in the copy, in the order given, for so long; whatever they write is beside it."""
    beside = tree.parent
    report, folder = beside / "told.jsonl", beside / "tmp"
    report.write_text("")
    folder.mkdir(exist_ok=True)
    line = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly"]
    line += ["-p", PLUG_IN, "--told", str(report), "--hypothesis-seed=0", *tests]
    environment = os.environ | {"TMPDIR": str(folder)}  # where tests/environment.py puts the state
    with (beside / "printed.txt").open("w+") as printed:
        with subprocess.Popen(
            line, cwd=tree, env=environment, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
        ) as running:
            status = _status(running, seconds)
        printed.seek(0)
        end = "".join(printed.readlines()[-LINES_SHOWN:])
    told = [Told(**json.loads(each)) for each in report.read_text().splitlines()]
    return Outcome(status, told, end)


def _status(running: subprocess.Popen[bytes], seconds: float) -> int | None:
    """That with which it ends, None where it has to be ended."""
    try:
        return running.wait(seconds)
    except BaseException as problem:
        os.killpg(running.pid, signal.SIGKILL)
        if isinstance(problem, subprocess.TimeoutExpired):
            return None
        raise


def why_not_whole(outcome: Outcome) -> str:
    """Why the tests prove nothing, as they do not all pass with every defence in place; empty if they do."""
    bad = [f"{told.test} ({told.outcome} {told.error})" for told in outcome.tests if told.outcome != "passed"]
    if outcome.status != 0 or bad:
        return f"with every defence in place (pytest ended with {outcome.status}): {', '.join(bad) or outcome.end}"
    return ""


def why_no_proof(defence: Defence, outcome: Outcome) -> str:
    """Why the run without the defence does not show that it is tested; empty if it does."""
    if outcome.status is None:
        return "its tests did not end"
    if outcome.status not in (0, 1):
        return f"pytest ended with {outcome.status}:\n{outcome.end}"
    for told in outcome.tests:
        if told.outcome not in ("passed", "failed"):
            return f"{told.test}: {told.outcome} ({told.error})"
        if told.outcome == "failed" and not told.asserts:
            return f"{told.test} failed by {told.error}, and no assertion of its own:\n{outcome.end}"
        if told.outcome == "failed" and defence.threat not in told.threats:
            return f"{told.test} failed and is no test of {defence.threat}"
    unmoved = [test for test in defence.shown_by if test not in outcome.failed]
    return f"taken out unnoticed by {', '.join(unmoved)}" if unmoved else ""
