"""Runs whose process is gone."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection

from catalog.owners import Owner, is_alive, release, this_process
from playground.agent.events import Event, RunEnded
from playground.models import Run, Thread
from playground.runs.recovery import ORPHANED, interrupt_orphans

EventsOf = Callable[[UUID], list[Event]]
HOLD_A_LOCK = """
import django; django.setup()
from catalog.owners import this_process
print(this_process().id, flush=True)
input()
"""


def run_of(owner: str) -> Run:
    return Run.objects.create(thread=Thread.objects.create(title="t"), task="t", owner=owner, status=Run.Status.RUNNING)


def dead_owner() -> str:
    """An owner whose process was killed."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD_A_LOCK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    owner = process.stdout.readline().strip()
    assert is_alive(owner)
    process.kill()
    process.communicate()
    return owner


def test_an_owner_lives_until_it_lets_go() -> None:
    owner = Owner()
    assert is_alive(owner.id)
    owner.release()
    assert not is_alive(owner.id)


def test_this_process_has_one_owner_at_a_time() -> None:
    first = this_process()
    assert this_process() is first
    release()
    assert this_process().id != first.id


def test_runs_of_a_killed_process_are_interrupted(transactional_db: None, events_of: EventsOf) -> None:
    run = run_of(dead_owner())
    assert interrupt_orphans() == 1
    run.refresh_from_db()
    assert run.status == Run.Status.INTERRUPTED
    assert events_of(run.pk) == [ORPHANED]


def test_runs_without_an_owner_are_interrupted(transactional_db: None, events_of: EventsOf) -> None:
    run = run_of("")
    interrupt_orphans()
    assert events_of(run.pk) == [RunEnded("interrupted", "The process that ran it ended.")]


def test_runs_of_a_living_process_are_left_alone(transactional_db: None) -> None:
    owner = Owner()
    run = run_of(owner.id)
    assert interrupt_orphans() == 0
    run.refresh_from_db()
    assert run.is_unfinished
    owner.release()


def test_ended_runs_are_left_alone(transactional_db: None) -> None:
    run = run_of("")
    Run.objects.filter(pk=run.pk).update(status=Run.Status.COMPLETED)
    assert interrupt_orphans() == 0
    assert not run.events.exists()


def test_of_several_who_look_at_the_same_time_one_ends_the_run(transactional_db: None, events_of: EventsOf) -> None:
    runs = [run_of("") for _ in range(5)]
    counts: list[int] = []

    def look() -> None:
        counts.append(interrupt_orphans())
        connection.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 5
    assert all(events_of(run.pk) == [ORPHANED] for run in runs)


@pytest.mark.parametrize("name", ["", "00000000-0000-0000-0000-000000000000"])
def test_an_owner_that_never_was_is_dead(name: str) -> None:
    assert not is_alive(name)
