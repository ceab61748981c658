"""The pages of evaluations of tasks: what is tried and what it costs before anything begins, and what came of it."""

import asyncio
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client

from catalog.editions import draft
from catalog.models import Catalog
from catalog.roles import Role, give_role
from playground.evaluating.playing import played
from playground.evaluating.tasks import read_tasks
from playground.evaluating.trials import Trying, begin
from playground.models import ChatModel, TaskEvaluation
from playground.task_evaluation_forms import initial_of
from tests.playground.conftest import Play
from tests.playground.runs.doubles import PlannedModel, calls, says

ClientAs = Callable[[Role], Client]
ADD = "/evaluations/tasks/add/"


def form(**changed: Any) -> dict[str, Any]:
    model = ChatModel.objects.order_by("pk").values_list("pk", flat=True)[0]
    made = {"catalog": "team-agent", "version": "draft", "tasks": "Tell Ada => team__notify_user", "modes": ["own"]}
    return {**made, "chat_model": model, "repeats": 2, "cap": "1", **changed}


@pytest.fixture
def client(client_as: ClientAs, team: Catalog) -> Client:
    return client_as(Role.PRESENTER)


def test_the_form_begins_with_the_tasks_of_the_sample_for_its_catalog(sample: Catalog) -> None:
    said = initial_of({})
    assert said["catalog"] == sample.slug
    first, *_, last = read_tasks(said["tasks"])
    assert first.needs == (("weather__get_forecast",),)
    assert "ask_human" not in last.needs_said


def test_the_cost_is_shown_before_anything_begins(client: Client) -> None:
    for shown in ("", "2 1 0.0 1.0"):
        page = client.post(ADD, form(shown=shown))
        assert page.context["plan"].trials == 2
        assert "Start 2 trials" in page.content.decode()
    assert not TaskEvaluation.objects.exists()


@pytest.mark.parametrize(
    ("changed", "field", "problem"),
    [
        ({"tasks": "Tell => nobody"}, "tasks", "Line 1: the catalog offers no tool nobody."),
        ({"modes": ["own", "eino", "mastra", "none", "everything"]}, "modes", "At most 4 modes"),
        ({"version": "7"}, "version", "the number of a version"),
        (
            {"tasks": "\n".join(f"{one} =>" for one in range(51)), "repeats": 10, "modes": ["own", "eino"]},
            "repeats",
            "1,020",
        ),
    ],
)
def test_what_cannot_be_tried_is_told_at_its_field(
    client: Client, changed: dict[str, Any], field: str, problem: str
) -> None:
    page = client.post(ADD, form(**changed))
    assert problem in str(page.context["form"].errors[field])
    assert page.context["plan"] is None


def test_a_cap_needs_a_price(client: Client) -> None:
    model = ChatModel.objects.create(title="Priceless", name="openai/nobody-knows", base_url="http://x.example")
    page = client.post(ADD, form(chat_model=model.pk))
    assert "take the cap away" in str(page.context["form"].errors["chat_model"])
    assert client.post(ADD, form(chat_model=model.pk, cap="")).context["plan"].costs.first is None


async def test_what_was_shown_is_begun_and_its_page_tells_what_came_of_it(
    team: Catalog, presenter: User, play: Play
) -> None:
    play(PlannedModel(calls("team__notify_user"), says("Done.")))
    client, asked = AsyncClient(), await asyncio.to_thread(form, modes=["own", "everything"])
    await asyncio.to_thread(give_role, presenter, Role.PRESENTER)
    await client.aforce_login(presenter)
    plan = (await client.post(ADD, asked)).context["plan"]
    answer = await client.post(ADD, {**asked, "shown": plan.shown})
    row = await TaskEvaluation.objects.aget()
    assert (answer.status_code, answer["Location"]) == (302, row.get_absolute_url())
    await played(row.pk)
    page = unescape((await client.get(row.get_absolute_url())).content.decode())
    assert "4</a> of 4 trials measured" in page
    assert page.count("2 of 2</span>") == 2
    assert "the same" in page


def test_a_page_moves_until_all_ended_and_then_offers_to_go_on(
    transactional_db: None, client: Client, team: Catalog
) -> None:
    model = ChatModel.objects.all()[0]
    row = begin(Trying(draft(team), read_tasks("a =>\nb =>"), ["", "everything"], model), User.objects.get())
    part = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "evaluation"}
    moving = client.get(row.get_absolute_url(), **part)  # type: ignore[arg-type]
    assert "0 of 4 trials measured" in moving.content.decode()
    client.post(f"{row.get_absolute_url()}stop/")
    assert client.get(row.get_absolute_url(), **part)["HX-Refresh"] == "true"  # type: ignore[arg-type]
    assert "4 trials are not measured." in client.get(row.get_absolute_url()).content.decode()
    listed = client.get("/evaluations/tasks/").content.decode()
    assert "2 tasks in 2 modes" in listed and "0 of 4" in listed


def test_going_on_says_why_it_cannot(transactional_db: None, client: Client, team: Catalog) -> None:
    model = ChatModel.objects.create(title="Gone", name="openai/gone")
    row = begin(Trying(draft(team), read_tasks("a =>"), [""], model), User.objects.get())
    client.post(f"{row.get_absolute_url()}stop/")
    model.delete()
    page = client.post(f"{row.get_absolute_url()}go-on/", {"cap": ""}, follow=True).content.decode()
    assert "Its model was deleted or switched off." in page
    page = client.post(f"{row.get_absolute_url()}go-on/", {"cap": "-1"}, follow=True).content.decode()
    assert "greater than or equal to" in page
