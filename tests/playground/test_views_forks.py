"""Forking: from a message, from a turn, from the end; with a message or without."""

import asyncio
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.urls import reverse

from catalog.models import Catalog
from catalog.roles import Role, give_role
from playground.agent.events import ModelAnswered, OfferMade, RunEnded, RunStarted, TextStreamed
from playground.models import ChatModel, Run, Thread
from tests.playground.conftest import Play, ended
from tests.playground.runs.doubles import PlannedModel, says
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_threads import add_run

ClientAs = Callable[[Role], Client]
DONE = (
    RunStarted("Weather in Oslo?", "c", "m", "e", "x", True, 9, 900),
    OfferMade(1, (), (), (), 0, True),
    TextStreamed(1, "3 °C."),
    ModelAnswered(1, "stop", 0.1),
    RunEnded("completed"),
)


@pytest.fixture
def run(team: Catalog) -> Run:
    return add_run(Thread.objects.create(title="Weather?"), *EVERY_KIND, task="Weather in Oslo?", catalog=team)


@pytest.fixture
def chat_model(db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


def fork_of(run: Run, at: int | None = None) -> str:
    return reverse("run_fork", args=[run.pk]) + (f"?at={at}" if at else "")


def test_a_message_is_there_to_be_edited(client_as: ClientAs, run: Run) -> None:
    answer = client_as(Role.PRESENTER).get(fork_of(run, 1))
    form = answer.context["form"]
    assert (form["task"].value(), form.fields["task"].required) == ("Weather in Oslo?", True)
    assert answer.context["earlier"] == ()


def test_from_a_turn_the_model_may_go_on_by_itself(client_as: ClientAs, run: Run) -> None:
    answer = client_as(Role.PRESENTER).get(fork_of(run, 10))
    assert not answer.context["form"].fields["task"].required
    assert [one.by for one in answer.context["earlier"]] == ["user", "assistant", "tool"]


def test_behind_an_answer_a_message_is_needed(client_as: ClientAs, team: Catalog) -> None:
    run = add_run(Thread.objects.create(title="Weather?"), *DONE, catalog=team)
    form = client_as(Role.PRESENTER).get(fork_of(run)).context["form"]
    assert form.fields["task"].required


@pytest.mark.parametrize("at", [3, 9, 23, 999, "x", -1])
def test_amid_a_turn_nothing_is_forked(client_as: ClientAs, run: Run, at: object) -> None:
    assert client_as(Role.PRESENTER).get(reverse("run_fork", args=[run.pk]), {"at": str(at)}).status_code == 404


def test_a_run_under_way_has_no_end_to_fork_from(client_as: ClientAs, team: Catalog) -> None:
    run = add_run(Thread.objects.create(title="t"), *EVERY_KIND[:12], catalog=team)
    presenter = client_as(Role.PRESENTER)
    assert presenter.get(fork_of(run)).status_code == 404
    assert presenter.get(fork_of(run, 10)).status_code == 200


def test_every_turn_and_message_of_a_run_links_to_its_fork(client_as: ClientAs, run: Run) -> None:
    html = client_as(Role.PRESENTER).get(run.get_absolute_url()).content.decode()
    linked = [seq for seq, event in enumerate(EVERY_KIND, start=1) if f'href="fork/?at={seq}"' in html]
    expected = [seq for seq, event in enumerate(EVERY_KIND, start=1) if isinstance(event, RunStarted | OfferMade)]
    assert linked == expected


async def test_a_fork_is_started_and_led_to(
    team: Catalog, run: Run, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel(says("Hi."), says("On.")))
    await asyncio.to_thread(give_role, presenter, Role.PRESENTER)
    client = AsyncClient()
    await client.aforce_login(presenter)
    written = {"catalog": team.slug, "chat_model": chat_model.pk, "mode": "mastra", "task": ""}
    answer = await client.post(fork_of(run, 10), written)
    started = await ended(await Run.objects.aget(chat_model=chat_model))
    assert answer.headers["Location"] == started.get_absolute_url()
    assert (started.mode, started.task, started.status) == ("mastra", "", Run.Status.COMPLETED)
    thread = await Thread.objects.aget(pk=started.thread_id)
    assert (thread.forked_from_id, thread.forked_at) == (run.pk, 10)
