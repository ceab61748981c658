"""Work is waited for a moment only, goes one at a time in line, and does not keep a process from ending."""

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from catalog import background

ROOT = Path(__file__).parents[2]
LONG_WORK = """
import os; os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
from time import sleep
from catalog import background
def long():
    for step in range(600):
        background.go_on()
        sleep(0.1)
begun = background.submit_in_line(long)
background.submit_in_line(lambda: print("never"))
background.stop()
print("stopped")
"""


def test_short_work_is_over_when_the_page_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "A_MOMENT", 10)
    done: list[int] = []
    background.submit_for_page(lambda: done.append(1))
    assert done == [1]


def test_long_work_is_waited_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "A_MOMENT", 0.01)
    may_end, is_over = Event(), Event()

    def long() -> None:
        may_end.wait(10)
        is_over.set()

    background.submit_for_page(long)
    assert not is_over.is_set()
    may_end.set()
    assert is_over.wait(10)


def test_work_in_line_waits_for_what_came_before() -> None:
    done: list[int] = []
    first_may_end = Event()

    def first() -> None:
        first_may_end.wait(10)
        done.append(1)

    waiting = [background.submit_in_line(first), background.submit_in_line(lambda: done.append(2))]
    assert done == []
    first_may_end.set()
    for work in waiting:
        work.result(10)
    assert done == [1, 2]


def test_long_work_does_not_keep_a_process_from_ending() -> None:
    command = [sys.executable, "-c", LONG_WORK]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=True)
    assert (outcome.stdout, outcome.stderr) == ("stopped\n", "")
