"""The pages for somebody new: the tour, the gallery, and the ways to them."""

import asyncio
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client

from catalog.auditing.acts import Act
from catalog.models import AuditEntry, Catalog
from catalog.roles import Role, give_role
from playground.models import ChatModel, LaneSet, Run, Thread
from playground.models.chat_model import SCRIPTED
from playground.runs import assembling
from playground.showcase.gallery import gallery
from playground.showcase.tour import script, stops
from playground.views.gallery import Card
from tests.playground.conftest import ended
from tests.playground.runs.doubles import PlannedModel, says
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]
TASKS = {task.slug: task for task in gallery()}


@pytest.fixture
def office(db: None) -> Catalog:
    """The catalog that the sample has under this name, with nothing in it."""
    return Catalog.objects.create(slug="office-agent", title="Office agent")


def page(client: Client, address: str, **query: str | int) -> str:
    return client.get(address, query).content.decode()


def test_each_stop_is_an_address_and_looking_leaves_no_row(client_as: ClientAs, db: None) -> None:
    viewer = client_as(Role.VIEWER)
    for stop in stops():
        told = viewer.get("/tour/", {"step": stop.number})
        assert told.context["state"] == stop.state
        assert f"<b>{stop.number}</b> of {len(stops()) + 1}" in told.content.decode()
    assert not Run.objects.exists()
    assert not Thread.objects.exists()


@pytest.mark.parametrize(("query", "step"), [({}, 1), ({"step": "x"}, 1), ({"step": 99}, 10), ({"at": 30}, 7)])
def test_any_address_leads_to_a_stop(client_as: ClientAs, query: dict[str, str | int], step: int) -> None:
    assert client_as(Role.VIEWER).get("/tour/", query).context["step"] == step


def test_new_pegs_drop_in_and_the_hits_are_unfolded_where_they_are_spoken_of(client_as: ClientAs, db: None) -> None:
    viewer = client_as(Role.VIEWER)
    assert "arriving" in page(viewer, "/tour/", step=6)
    assert '<details class="more" open>' in page(viewer, "/tour/", step=5)
    assert '<details class="more" open>' not in page(viewer, "/tour/", step=4)


def test_links_within_the_recorded_run_lead_to_the_search_and_the_tool(client_as: ClientAs, team: Catalog) -> None:
    viewer = client_as(Role.VIEWER)
    [address] = re.findall(r'href="(search/\d+/)"', page(viewer, "/tour/", step=5))
    assert (
        viewer.get(f"/tour/{address}").headers["Location"] == "/search/?catalog=office-agent&q=forecast&engine=mcpagent"
    )
    assert viewer.get("/tour/search/1/").status_code == 404
    tool = viewer.get("/tour/tool/", {"name": "team__getWeather"})
    assert tool.headers["Location"] == "/tools/team/getWeather/"
    assert viewer.get("/tour/tool/", {"name": "search_tools"}).headers["Location"] == "/tools/"


def test_the_tour_ends_with_a_task_for_those_who_may_start_one(client_as: ClientAs, office: Catalog) -> None:
    ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo model"})
    told = page(client_as(Role.PRESENTER), "/tour/", step=10)
    assert script().suggested.split('"')[0] in told
    assert 'action="/playground/start/"' in told
    looked = page(client_as(Role.VIEWER), "/tour/", step=10)
    assert 'action="/playground/start/"' not in looked
    assert "Look at the runs of others" in looked


def test_without_the_sample_the_tour_still_plays_and_leads_to_what_is_there(client_as: ClientAs, team: Catalog) -> None:
    presenter = client_as(Role.PRESENTER)
    assert "The sample’s catalog is not in this installation." in page(presenter, "/tour/", step=10)
    assert "manage.py load_sample" in page(presenter, "/gallery/")


def test_a_card_tells_the_last_run_of_its_task_in_its_mode(client_as: ClientAs, office: Catalog) -> None:
    viewer = client_as(Role.VIEWER)
    task = TASKS["one-search"]
    run = run_with(*EVERY_KIND, task=task.task, catalog=office)
    other = run_with(*EVERY_KIND, task=TASKS["every-tool"].task, catalog=office)
    cards = {card.task.slug: card for card in viewer.get("/gallery/").context["cards"]}
    assert cards["one-search"].last.run == run
    assert cards["one-search"].last.turns == 4
    assert cards["every-tool"].last is None, "a run in the catalog's own mode is not of this card"
    Run.objects.filter(pk=other.pk).update(mode="everything")
    told = page(viewer, "/gallery/")
    assert told.count("Last run</a>") == 2
    assert "interrupted in 4 turns" in told


def test_a_card_opens_the_playground_as_it_would_run(client_as: ClientAs, office: Catalog) -> None:
    Catalog.objects.create(slug="front-desk", title="Front desk")
    presenter = client_as(Role.PRESENTER)
    context = presenter.get(f"/playground/?{TASKS['provider-searches'].query}").context
    assert context["form"]["mode"].value() == "eino-native"
    assert [tool.name for tool in context["outlook"].meta_tools] == ["tool_search"], (
        "what that mode has, with no tool to hand over"
    )
    denied = presenter.get(f"/playground/?{TASKS['denied'].query}").context
    assert denied["catalog"].slug == "front-desk"
    assert denied["form"]["context"].value() == "role = guest"


def test_a_card_of_lanes_opens_their_form_and_tells_the_last_that_ran_side_by_side(
    client_as: ClientAs, office: Catalog
) -> None:
    model, _ = ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo model"})
    presenter, task = client_as(Role.PRESENTER), TASKS["side-by-side"]
    run = run_with(*EVERY_KIND, task=task.task, catalog=office)
    Run.objects.filter(pk=run.pk).update(mode=task.lanes[0])

    def card() -> Card:
        cards: list[Card] = presenter.get("/gallery/").context["cards"]
        return next(card for card in cards if card.task == task)

    assert card().last is None, "a run by itself is not of this card"
    lanes = LaneSet.objects.create(task=task.task, lanes=3)
    Run.objects.filter(pk=run.pk).update(lane_set=lanes, lane=1)
    assert f'<a href="{lanes.get_absolute_url()}">Last run</a>' in page(presenter, "/gallery/")
    form = presenter.get(card().opens).context["form"]
    assert [(lane["mode"].value(), lane["chat_model"].value()) for lane in form.lanes] == [
        (mode, str(model.pk)) for mode in task.lanes
    ]
    assert form.common["task"].value() == task.task


def test_the_playground_shows_the_gallery_until_a_catalog_is_chosen(client_as: ClientAs, office: Catalog) -> None:
    presenter = client_as(Role.PRESENTER)
    shown = {card.task.slug for card in presenter.get("/playground/").context["cards"]}
    assert shown == {task.slug for task in gallery() if task.catalog == office.slug}
    assert presenter.get("/playground/", {"catalog": office.slug}).context["cards"] == []


def test_home_leads_a_new_person_to_the_tour_first_and_later_less(client_as: ClientAs, office: Catalog) -> None:
    presenter = client_as(Role.PRESENTER)
    new = presenter.get("/")
    assert new.context["next"].url == "/tour/"
    assert '<a class="button main-act" href="/tour/">' in new.content.decode()
    run_with(*EVERY_KIND, catalog=office)
    later = presenter.get("/")
    assert later.context["next"] is None
    assert '<a class="button quiet" href="/tour/">' in later.content.decode()


def test_where_no_run_is_yet_the_runs_lead_to_the_tour(client_as: ClientAs, db: None) -> None:
    for role in (Role.VIEWER, Role.PRESENTER):
        assert 'href="/tour/">Take the tour</a></div>' in page(client_as(role), "/runs/")


def test_a_task_whose_catalog_is_gone_starts_nothing_and_says_so(client_as: ClientAs, db: None) -> None:
    answer = client_as(Role.PRESENTER).post("/gallery/denied/run/", follow=True)
    assert "was not started" in answer.content.decode()
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_a_presenter_runs_a_task_in_its_mode_and_context(
    office: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Catalog.objects.acreate(slug="front-desk", title="Front desk")
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: PlannedModel(says("Hello.")))
    await ChatModel.objects.aget_or_create(name=SCRIPTED, defaults={"title": "Demo model"})
    presenter = await User.objects.acreate(username="p")
    await asyncio.to_thread(give_role, presenter, Role.PRESENTER)
    client = AsyncClient()
    await client.aforce_login(presenter)
    for slug in ("denied", "every-tool"):
        answer = await client.post(f"/gallery/{slug}/run/")
        run = await Run.objects.select_related("catalog").aget(task=TASKS[slug].task)
        assert answer.headers["Location"] == run.get_absolute_url()
        assert run.catalog is not None
        started = (run.catalog.slug, run.mode, run.context, run.by_id)
        assert started == (TASKS[slug].catalog, TASKS[slug].mode, TASKS[slug].context, presenter.pk)
        assert (await ended(run)).status == Run.Status.COMPLETED
    answer = await client.post("/gallery/side-by-side/run/")
    lanes = await LaneSet.objects.aget()
    assert answer.headers["Location"] == lanes.get_absolute_url()
    assert [run.mode async for run in lanes.runs.order_by("lane")] == [*TASKS["side-by-side"].lanes]
    assert lanes.expected == "weather__get_forecast\nchat__notify_channel"
    async for run in lanes.runs.select_related("catalog"):
        assert (await ended(run)).status == Run.Status.COMPLETED
    assert await AuditEntry.objects.filter(act=Act.RUN_STARTED).acount() == 5
