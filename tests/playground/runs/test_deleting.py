"""Deleting runs: what goes along, what stays and why; and what goes for its age."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from playground.models import Run, RunEvent, Thread
from playground.runs.deleting import delete_runs, plan_deletion
from playground.runs.retention import delete_old
from playground.runs.tagging import put_tag

pytestmark = pytest.mark.django_db


def a_run(thread: Thread | None = None, *, days: int = 0, **fields: Any) -> Run:
    """An ended run, the next of its thread."""
    thread = thread or Thread.objects.create(title="t")
    made = timezone.now() - timedelta(days=days)
    fields = {"status": Run.Status.COMPLETED, "ended_at": made} | fields
    run = Run.objects.create(thread=thread, position=thread.runs.count() + 1, task="x", **fields)
    Run.objects.filter(pk=run.pk).update(created_at=made)
    RunEvent.objects.create(run=run, seq=1, kind="RunEnded", at=made, body={})
    return run


def fork_of(run: Run, **fields: Any) -> Run:
    return a_run(Thread.objects.create(title="fork", forked_from=run), **fields)


def whys(*runs: Run) -> dict[Run, str]:
    return {one.run: one.why for one in plan_deletion([run.pk for run in runs]).refused}


def test_a_run_takes_its_nested_runs_threads_events_and_outputs_along(
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.PEGBOARD_OUTPUT_DIR = tmp_path
    run = a_run()
    inner = a_run(parent=a_run(parent=run))
    (tmp_path / str(inner.pk)).mkdir()
    with django_capture_on_commit_callbacks(execute=True):
        done = delete_runs([run.pk])
    assert len(done.nested) == 2
    assert not Run.objects.exists() and not Thread.objects.exists() and not RunEvent.objects.exists()
    assert not (tmp_path / str(inner.pk)).exists()


def test_what_others_go_on_from_stays() -> None:
    first = a_run()
    second = a_run(first.thread)
    fork = fork_of(second)
    assert whys(first) == {first: "A later message of its thread goes on from it."}
    assert whys(second) == {second: "A thread was forked from it."}
    assert set(whys(first, second)) == {first, second}
    assert whys(first, second, fork) == {}
    delete_runs([first.pk, second.pk, fork.pk])
    assert not Run.objects.exists() and not Thread.objects.exists()


def test_what_is_under_way_or_nested_stays() -> None:
    moving = a_run(status=Run.Status.RUNNING)
    inner = a_run(parent=a_run())
    assert whys(moving) == {moving: "It is under way. Stop it first."}
    assert whys(inner) == {inner: "It is nested in another run, and goes with that one."}
    assert delete_runs([moving.pk, inner.pk]).runs == ()
    assert Run.objects.count() == 3


def test_the_last_message_of_a_thread_can_go_alone() -> None:
    first = a_run()
    delete_runs([a_run(first.thread).pk])
    assert list(first.thread.runs.all()) == [first]


@pytest.mark.parametrize(("days", "left"), [(0, 2), (30, 1)])
def test_old_threads_go_after_the_days_that_are_set(settings: Any, days: int, left: int) -> None:
    settings.PEGBOARD_RUN_DAYS = days
    a_run(days=31)
    a_run(days=29)
    assert delete_old() == 2 - left
    assert Run.objects.count() == left


def test_an_old_run_stays_while_its_thread_is_kept_new_or_forked(settings: Any) -> None:
    settings.PEGBOARD_RUN_DAYS = 30
    kept, gone_on, forked = a_run(days=40), a_run(days=40), a_run(days=40)
    put_tag([kept.pk], "keep")
    a_run(gone_on.thread)
    fork = fork_of(forked, days=40)
    assert delete_old() == 1
    assert not Run.objects.filter(pk=fork.pk).exists()
    assert delete_old() == 1
    assert set(Run.objects.filter(pk__in=[kept.pk, gone_on.pk, forked.pk])) == {kept, gone_on}
    assert delete_old() == 0
