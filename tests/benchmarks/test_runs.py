"""The table of runs at once: one at a time and all at once, whole runs are measured."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_one_at_a_time_and_all_at_once_are_measured() -> None:
    command = [sys.executable, "benchmarks/runs.py", "--runs", "3", "--model", "endpoint"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines() if "|" in line]
    assert [row[:3] for row in rows[2:]] == [
        ["endpoint", "1", "3"],
        ["endpoint", "3", "3"],
    ]
    for _, _, _, events, seconds, _, rate, *_ in rows[2:]:
        assert int(events) > 30
        assert float(seconds) > 0 and float(rate.replace(",", "")) > 0
