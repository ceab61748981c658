"""Large outputs of real runs: kept beside the database, told in the record, read on a page, removed in time."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from catalog.models import Catalog
from catalog.roles import Role
from playground.agent.events import CallFinished, Event, KeptOutput
from playground.models import ChatModel, Run, Thread
from playground.runs import assembling
from playground.runs.executing import begin
from playground.runs.kept_outputs import DAY, files_of, remove_old
from playground.runs.reading import state_at
from playground.runs.steps import Called
from playground.runs.stored import from_row, to_body
from playground.views import outputs
from tests.playground.runs.doubles import PlannedModel, calls, says

CALL = calls("team__notify_user", '{"to": "sk-CANARY0123456789abcdef"}')


@pytest.fixture
def output_dir(tmp_path: Path) -> Iterator[Path]:
    """Made with the first output."""
    with override_settings(PEGBOARD_OUTPUT_DIR=tmp_path / "tool_output_folder"):
        yield tmp_path / "tool_output_folder"


@pytest.fixture
def kept_run(run: Run, output_dir: Path) -> tuple[Run, str]:
    """A run with a kept output, and the file's name."""
    return run, files_of(run.pk).put("weather__get", "<script>rain</script>\u202e and wind")


async def executed(team: Catalog, monkeypatch: pytest.MonkeyPatch, **options: int | str) -> Run:
    """A run of the team's catalog with these options, that calls one tool."""
    await Catalog.objects.filter(pk=team.pk).aupdate(mode_options=options)
    await team.arefresh_from_db()
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: PlannedModel(CALL, says("Done.")))
    chat_model = await ChatModel.objects.acreate(title="Planned", name="planned/model")
    run = await begin(team, chat_model, "Tell Ada", await User.objects.acreate(username="a-presenter"))
    async with asyncio.timeout(20):
        while run.is_unfinished:
            await asyncio.sleep(0.02)
            await run.arefresh_from_db()
    assert run.status == Run.Status.COMPLETED
    return run


async def finished(run: Run, events_of: Callable[[UUID], list[Event]]) -> CallFinished:
    events = await asyncio.to_thread(events_of, run.pk)
    return next(event for event in events if isinstance(event, CallFinished))


async def test_a_run_keeps_its_large_outputs_clean_of_secrets_and_its_record_says_where(
    transactional_db: None,
    team: Catalog,
    output_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    events_of: Callable[[UUID], list[Event]],
) -> None:
    run = await executed(team, monkeypatch, offload_over=5)
    event = await finished(run, events_of)
    assert event.kept and event.kept.file in event.content
    text = (output_dir / str(run.pk) / event.kept.file).read_text()
    assert text.startswith('{"ok": true') and "CANARY" not in text
    steps = (await asyncio.to_thread(state_at, run.pk)).steps
    assert next(step.kept for step in steps if isinstance(step, Called)) == event.kept


async def test_a_small_output_is_kept_nowhere(
    transactional_db: None,
    team: Catalog,
    output_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    events_of: Callable[[UUID], list[Event]],
) -> None:
    event = await finished(await executed(team, monkeypatch), events_of)
    assert event.kept is None and event.content.startswith('{"ok": true')
    assert not await asyncio.to_thread(output_dir.exists)


def test_an_event_of_an_older_release_has_kept_nothing() -> None:
    event = CallFinished(1, "id", "a__read", "ok", "text", 0.1, False, KeptOutput("tool_1_a.txt", 9, 3, 5))
    body = to_body(event)
    assert from_row("call_finished", body) == event
    del body["kept"]
    read = from_row("call_finished", body)
    assert isinstance(read, CallFinished) and read.kept is None


def test_a_page_shows_the_whole_output_escaped(kept_run: tuple[Run, str], client_as: Callable[[Role], Client]) -> None:
    run, file = kept_run
    page = client_as(Role.VIEWER).get(reverse("run_output", args=[run.pk, file])).content.decode()
    assert "&lt;script&gt;rain&lt;/script&gt;" in page and "<script>rain" not in page
    assert "\u202e" not in page
    assert f"{run.get_absolute_url()}" in page


def test_a_page_shows_no_more_than_it_can(
    kept_run: tuple[Run, str], client_as: Callable[[Role], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, file = kept_run
    monkeypatch.setattr(outputs, "MOST_SHOWN", 12)
    answer = client_as(Role.VIEWER).get(reverse("run_output", args=[run.pk, file]))
    assert (answer.context["text"], answer.context["is_cut"]) == ("<script>rain", True)
    assert "cut here" in answer.content.decode()


@pytest.mark.parametrize("file", ["tool_gone.txt", "secret", "..", "tool_..", "tool_\\..\\x"])
def test_an_output_that_is_not_there_is_said_to_be_gone(
    kept_run: tuple[Run, str], client_as: Callable[[Role], Client], file: str
) -> None:
    answer = client_as(Role.VIEWER).get(f"{kept_run[0].get_absolute_url()}outputs/{file}/")
    assert answer.status_code == 404


def test_one_runs_output_is_not_had_through_another(
    kept_run: tuple[Run, str], client_as: Callable[[Role], Client]
) -> None:
    other = Run.objects.create(thread=Thread.objects.create(title="t"), task="t")
    answer = client_as(Role.VIEWER).get(reverse("run_output", args=[other.pk, kept_run[1]]))
    assert answer.status_code == 404
    assert "This output is not here" in answer.content.decode()


def test_outputs_go_with_their_run(kept_run: tuple[Run, str], output_dir: Path) -> None:
    stranger = output_dir / "not-a-run"
    stranger.mkdir()
    assert remove_old() == 0
    kept_run[0].delete()
    assert remove_old() == 1
    assert list(output_dir.iterdir()) == [stranger]


@override_settings(PEGBOARD_OUTPUT_DAYS=2)
def test_outputs_go_after_so_many_days(kept_run: tuple[Run, str], output_dir: Path) -> None:
    folder = output_dir / str(kept_run[0].pk)
    os.utime(folder, times=(0, time.time() - 1.9 * DAY))
    assert remove_old() == 0
    os.utime(folder, times=(0, time.time() - 2.1 * DAY))
    assert remove_old() == 1
    assert not folder.exists()


def test_where_nothing_was_ever_kept_there_is_nothing_to_remove(db: None, output_dir: Path) -> None:
    assert remove_old() == 0
    files_of(uuid4()).put("weather__get", "rain")
    assert remove_old() == 1
