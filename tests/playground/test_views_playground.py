"""The playground: from a form to a run that is under way."""

import asyncio
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.urls import reverse

from catalog.models import Catalog
from catalog.roles import Role, give_role
from playground.models import ChatModel, Run
from playground.runs import assembling
from tests.playground.runs.doubles import PlannedModel, says

ClientAs = Callable[[Role], Client]
PLAYGROUND = "/playground/"


@pytest.fixture
def chat_model(db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


def test_the_page_asks_for_a_catalog_where_there_is_none(client_as: ClientAs) -> None:
    answer = client_as(Role.VIEWER).get(PLAYGROUND)
    assert "No catalog yet" in answer.content.decode()


def test_the_address_fills_the_form(client_as: ClientAs, sample: Catalog, chat_model: ChatModel) -> None:
    form = client_as(Role.PRESENTER).get(PLAYGROUND, {"catalog": "on-call", "task": "Who is on call?"}).context["form"]
    assert (form["catalog"].value(), form["task"].value()) == ("on-call", "Who is on call?")


def test_the_sample_comes_with_ten_tasks_that_its_tools_can_do(client_as: ClientAs, sample: Catalog) -> None:
    tasks = client_as(Role.PRESENTER).get(PLAYGROUND, {"catalog": sample.slug}).context["suggestions"]
    assert len(tasks) == 10


def test_other_catalogs_come_without_tasks(client_as: ClientAs, team: Catalog) -> None:
    assert client_as(Role.PRESENTER).get(PLAYGROUND, {"catalog": team.slug}).context["suggestions"] == []


def test_a_viewer_may_look_and_not_start(client_as: ClientAs, team: Catalog, chat_model: ChatModel) -> None:
    client = client_as(Role.VIEWER)
    assert "Start</button>" not in client.get(PLAYGROUND).content.decode()
    task = {"catalog": team.slug, "chat_model": chat_model.pk, "task": "Tell Ada"}
    assert client.post(reverse("run_start"), task).status_code == 403
    assert not Run.objects.exists()


def test_a_task_is_needed(client_as: ClientAs, team: Catalog, chat_model: ChatModel) -> None:
    answer = client_as(Role.PRESENTER).post(reverse("run_start"), {"catalog": team.slug, "chat_model": chat_model.pk})
    assert "task" in answer.context["form"].errors
    assert not Run.objects.exists()


def test_a_limit_beyond_what_the_settings_allow_starts_nothing(
    client_as: ClientAs, team: Catalog, chat_model: ChatModel
) -> None:
    task = {"catalog": team.slug, "chat_model": chat_model.pk, "task": "Tell Ada", "turns": 101, "tokens": 0}
    answer = client_as(Role.PRESENTER).post(reverse("run_start"), task)
    assert answer.context["limits"].errors.keys() == {"turns", "tokens"}
    assert "At most 100." in answer.content.decode()
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_a_presenter_starts_a_run_and_is_led_to_it(
    team: Catalog, chat_model: ChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: PlannedModel(says("Hello.")))
    presenter = await User.objects.acreate(username="p")
    await asyncio.to_thread(give_role, presenter, Role.PRESENTER)
    client = AsyncClient()
    await client.aforce_login(presenter)
    task = {
        "catalog": team.slug,
        "chat_model": chat_model.pk,
        "task": "Say hello",
        "turns": 3,
        "calls": "",
        "dollars": "0.5",
    }
    answer = await client.post(reverse("run_start"), task)
    run = await Run.objects.aget()
    assert answer.headers["Location"] == run.get_absolute_url()
    async with asyncio.timeout(20):
        while run.is_unfinished:
            await asyncio.sleep(0.02)
            await run.arefresh_from_db()
    assert (run.status, run.task, run.by_id) == (Run.Status.COMPLETED, "Say hello", presenter.pk)
    assert run.limits == {"turns": 3, "dollars": 0.5}
    started = await run.events.aget(kind="run_started")
    limits = {"turns": 3, "calls": 50, "tokens": 1_000_000, "seconds": 600, "dollars": 0.5}
    assert started.body["limits"] == limits
