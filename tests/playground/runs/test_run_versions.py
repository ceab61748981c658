"""Which version of its catalog a run is of: what is published, unless told otherwise, and its thread keeps it."""

import asyncio

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog.models import Catalog, Tool
from catalog.publishing.acts import gather, plan_publishing, publish
from catalog.shaping import exclude
from playground.agent.events import RunStarted
from playground.models import ChatModel, Run, Thread
from playground.runs.executing import begin, fork, go_on
from playground.runs.reading import all_events
from playground.runs.stored import from_row
from playground.runs.threads import Setup
from tests.playground.conftest import Play, ended
from tests.playground.runs.doubles import PlannedModel, says
from tests.playground.test_views_threads import add_run


@pytest.fixture
def chat_model(transactional_db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


@pytest.fixture
def gathering(transactional_db: None, team: Catalog) -> Catalog:
    """Version 1 has five tools, the draft four and another mode."""
    gather(team)
    exclude(team, Tool.objects.get(name="getWeather"))
    Catalog.objects.filter(pk=team.pk).update(mode="eino")
    return Catalog.objects.get(pk=team.pk)


def started(run: Run) -> tuple[str, int, str]:
    """Version, tools and mode, as they are recorded."""
    event = next(row.event for row in all_events(run.pk))
    assert isinstance(event, RunStarted)
    return event.version, event.tools_all, event.mode


async def recorded(run: Run) -> tuple[str, int, str]:
    return await asyncio.to_thread(started, await ended(run))


async def test_a_thread_keeps_its_version_until_it_is_told_otherwise(
    gathering: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel(*[says("Done.") for _ in range(9)]))
    more = Setup(gathering, chat_model, "More", presenter)
    first = await begin(gathering, chat_model, "Go", presenter)
    assert await recorded(first) == ("1", 5, "mcpagent")
    token = (await asyncio.to_thread(plan_publishing, gathering)).token
    await asyncio.to_thread(publish, gathering, presenter, "", token)
    followed = await go_on(first.thread_id, 1, more)
    assert await recorded(followed) == ("1", 5, "mcpagent")
    forked = await fork(await Run.objects.select_related("version", "catalog").aget(pk=followed.pk), None, more)
    assert await recorded(forked) == ("1", 5, "mcpagent")
    told = Setup(gathering, chat_model, "More", presenter, edition="published")
    assert await recorded(await go_on(first.thread_id, 2, told)) == ("2", 4, "eino")
    assert await recorded(await begin(gathering, chat_model, "Go", presenter)) == ("2", 4, "eino")
    draft = await begin(gathering, chat_model, "Go", presenter, edition="draft")
    assert await recorded(draft) == ("draft", 4, "eino")
    assert (await Run.objects.aget(pk=draft.pk)).version_id is None


async def test_a_run_of_a_catalog_that_publishes_itself_has_a_number_and_its_thread_follows_edits(
    team: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel(says("Done."), says("Done.")))
    first = await begin(team, chat_model, "Go", presenter)
    assert (await recorded(first))[:2] == ("1", 5)
    await asyncio.to_thread(exclude, team, await Tool.objects.aget(name="getWeather"))
    followed = await go_on(first.thread_id, 1, Setup(team, chat_model, "More", presenter))
    assert (await recorded(followed))[:2] == ("2", 4)


async def test_a_run_of_a_version_that_is_not_there_says_so(
    gathering: Catalog, chat_model: ChatModel, presenter: User, play: Play
) -> None:
    play(PlannedModel())
    run = await ended(await begin(gathering, chat_model, "Go", presenter, edition="9"))
    rows = await asyncio.to_thread(lambda: list(all_events(run.pk)))
    assert "has no version 9" in str(rows[-1].event)


def test_records_of_releases_before_versions_are_read() -> None:
    body = {"task": "t", "catalog": "c", "mode": "m", "engine": "e", "model": "x", "scripted": True}
    event = from_row("run_started", {**body, "tools_all": 9, "tokens_all": 900})
    assert isinstance(event, RunStarted)
    assert event.version == ""


def test_the_playground_offers_versions_and_shows_what_each_begins_with(
    admin_client: Client, gathering: Catalog
) -> None:
    chosen = {
        named: admin_client.get(f"/playground/?catalog=team-agent{named}").context
        for named in ("", "&version=draft", "&version=1", "&version=99")
    }
    offered = {named: len(context["outlook"].exposure.pool) for named, context in chosen.items()}
    assert offered == {"": 5, "&version=draft": 4, "&version=1": 5, "&version=99": 5}
    assert [name for name, _ in chosen[""]["editions"]] == ["published", "draft"]


def test_a_version_that_is_not_there_is_told_at_its_field(
    admin_client: Client, gathering: Catalog, chat_model: ChatModel
) -> None:
    told = {"catalog": "team-agent", "chat_model": chat_model.pk, "task": "Go", "version": "99"}
    answer = admin_client.post(reverse("run_start"), told)
    assert "has no such version" in answer.text
    assert not Run.objects.exists()


def test_runs_are_found_by_the_mode_of_their_version(gathering: Catalog) -> None:
    thread = Thread.objects.create(title="T")
    version = gathering.versions.get()
    runs = {1: version, 2: None}
    made = {n: Run.objects.create(thread=thread, position=n, catalog=gathering, version=v) for n, v in runs.items()}
    for run in made.values():
        assert list(Run.objects.in_mode(run.mode_named)) == [run]


def test_a_run_s_page_leads_to_its_version(admin_client: Client, gathering: Catalog) -> None:
    about = RunStarted("t", "Team agent", "mcpagent", "e", "x", True, 5, 500, version="1")
    run = add_run(Thread.objects.create(title="t"), about, catalog=gathering)
    Run.objects.filter(pk=run.pk).update(version=gathering.versions.get())
    page = admin_client.get(run.get_absolute_url()).text
    assert '<a href="version/">version <b>1</b></a>' in page
    assert admin_client.get(f"{run.get_absolute_url()}version/")["Location"] == "/catalogs/team-agent/versions/1/"
