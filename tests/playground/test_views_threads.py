"""The page of a thread: the whole conversation, going on in it, and the store of its mode."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Catalog
from catalog.redaction import Redactor
from catalog.roles import Role, give_role
from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    ModelAnswered,
    OfferMade,
    RunEnded,
    RunStarted,
    ToolsLoaded,
)
from playground.models import ChatModel, Run, Thread
from playground.runs.appending import Addition, append
from playground.runs.loaded_stores import store_of, thread_key
from tests.playground.conftest import Play, ended
from tests.playground.runs.doubles import PlannedModel, says
from tests.playground.runs.recordings import EVERY_KIND

ClientAs = Callable[[Role], Client]
HOSTILE = '<img src=x onerror="x()">\u202e'
LOADED: tuple[Event, ...] = (
    RunStarted("Weather?", "Team agent", "mastra", "mastra", "planned", True, 5, 500),
    OfferMade(1, (), (), (), 0, True),
    ModelAnswered(1, "tool_calls", 0.1),
    CallMade(1, "load-1", "load_tool", "{}", True),
    ToolsLoaded(1, "load-1", ("team__getWeather",)),
    CallFinished(1, "load-1", "load_tool", "ok", "{}", 0.0),
    RunEnded("completed"),
)


@pytest.fixture
def chat_model(db: None) -> ChatModel:
    return ChatModel.objects.create(title="Planned", name="planned/model")


def add_run(thread: Thread, *events: Event, task: str = "Weather?", catalog: Catalog | None = None) -> Run:
    """The next run of the thread, as it would have been recorded."""
    run = Run.objects.create(thread=thread, position=thread.runs.count() + 1, task=task, catalog=catalog)
    now = timezone.now()
    if events:
        stamped = [(now + timedelta(seconds=number), event) for number, event in enumerate(events)]
        append(Addition(run.pk, stamped, Redactor()))
        run.refresh_from_db()
    return run


def thread_of(*recordings: tuple[Event, ...], catalog: Catalog | None = None) -> Thread:
    thread = Thread.objects.create(title="Weather?")
    for events in recordings:
        add_run(thread, *events, catalog=catalog)
    return thread


def mastra(team: Catalog) -> Catalog:
    team.mode = "mastra"
    team.save()
    return team


def page(client: Client, thread: Thread) -> str:
    return client.get(thread.get_absolute_url()).content.decode()


def test_the_page_tells_every_run_with_links_into_each(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND, EVERY_KIND)
    html = page(client_as(Role.VIEWER), thread)
    for run in thread.runs.all():
        assert f'href="{run.get_absolute_url()}?at=7"' in html
        assert f'href="{run.get_absolute_url()}search/7/"' in html
        assert html.count(f'id="{run.pk}-step-1"') == 1


def test_what_a_run_is_made_of_is_told_where_it_changes(client_as: ClientAs) -> None:
    other = RunStarted("More", "Office agent", "eino", "bm25f", "demo/scripted", True, 40, 4_000)
    thread = thread_of(EVERY_KIND, EVERY_KIND, (other, RunEnded("completed")))
    parts = client_as(Role.VIEWER).get(thread.get_absolute_url()).context["parts"]
    assert [dict(part.changed) for part in parts] == [
        {"catalog": "Office agent", "mode": "mcpagent", "model": "demo/scripted"},
        {},
        {"mode": "eino"},
    ]


def test_words_of_strangers_are_escaped(client_as: ClientAs) -> None:
    thread = Thread.objects.create(title=HOSTILE)
    add_run(thread, RunStarted(HOSTILE, "c", HOSTILE, "e", "x", True, 9, 900), RunEnded("completed"), task=HOSTILE)
    fork = Thread.objects.create(title=HOSTILE, forked_from=thread.runs.get())
    add_run(fork, task=HOSTILE)
    presenter = client_as(Role.PRESENTER)
    for html in (page(presenter, thread), page(presenter, fork)):
        assert "<img src=x" not in html and "\u202e" not in html and "&lt;img" in html


def test_a_message_that_no_model_was_asked_is_shown_as_such(client_as: ClientAs) -> None:
    thread = Thread.objects.create(title="t")
    add_run(thread, RunEnded("failed", "The chat model Planned is switched off."), task="Are you there?")
    html = page(client_as(Role.VIEWER), thread)
    assert "Are you there?" in html and "never asked" in html


def test_a_viewer_reads_and_a_presenter_writes(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND)
    go_on = reverse("thread_go_on", args=[thread.pk])
    assert go_on not in page(client_as(Role.VIEWER), thread)
    assert go_on in page(client_as(Role.PRESENTER), thread)


def test_a_thread_whose_run_is_under_way_waits_for_its_end(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND[:8])
    html = page(client_as(Role.PRESENTER), thread)
    assert reverse("thread_go_on", args=[thread.pk]) not in html
    assert "can be written when the run has ended" in html


def test_a_thread_and_its_fork_name_each_other(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND)
    fork = Thread.objects.create(title="Another way", forked_from=thread.runs.get(), forked_at=2)
    run = add_run(fork)
    client = client_as(Role.VIEWER)
    assert "Another way" in page(client, thread) and "before turn 1 of message 1" in page(client, thread)
    assert thread.get_absolute_url() in page(client, fork)
    assert thread.runs.get().get_absolute_url() in client.get(run.get_absolute_url()).content.decode()


def test_a_thread_that_is_not_there_is_not_found(client_as: ClientAs) -> None:
    empty = Thread.objects.create(title="t")
    assert client_as(Role.VIEWER).get(empty.get_absolute_url()).status_code == 404


def test_the_store_is_shown_only_where_the_mode_keeps_one(client_as: ClientAs, team: Catalog) -> None:
    client = client_as(Role.CURATOR)
    assert "Clear this thread" not in page(client, thread_of(EVERY_KIND, catalog=team))
    assert "Clear this thread" in page(client, thread_of(EVERY_KIND, catalog=mastra(team)))
    team.mode_options = {"storage": "context"}
    team.save()
    assert "Clear this thread" not in page(client, thread_of(EVERY_KIND, catalog=team))


def test_loads_that_the_store_no_longer_holds_are_told(client_as: ClientAs, team: Catalog) -> None:
    thread = thread_of(LOADED, catalog=mastra(team))
    answer = client_as(Role.VIEWER).get(thread.get_absolute_url())
    assert answer.context["store"].lost == ("team__getWeather",)
    assert "not in the store any more" in answer.content.decode()


def test_a_presenter_clears_a_thread_and_a_curator_all(client_as: ClientAs, team: Catalog) -> None:
    mine, other = (thread_of(LOADED, catalog=mastra(team)) for _ in range(2))
    store = store_of(mine.runs.get())
    assert store is not None
    store.clear_all()
    for thread in (mine, other):
        store.add(thread_key(thread.pk), ["team__getWeather"])
    answer = client_as(Role.PRESENTER).post(reverse("thread_clear", args=[mine.pk]), follow=True)
    assert "forgot the 1 tool that this thread had loaded" in answer.content.decode()
    assert (store.held(thread_key(mine.pk)), store.stats().threads) == ((), 1)
    curator = client_as(Role.CURATOR)
    swept = curator.post(reverse("thread_clean_up", args=[mine.pk]), follow=True)
    assert "0 overdue threads forgotten" in swept.content.decode()
    answer = curator.post(reverse("thread_clear_all", args=[mine.pk]), follow=True)
    assert "of 1 thread." in answer.content.decode()
    assert store.stats().threads == 0


def test_a_thread_without_a_store_has_nothing_to_clear(client_as: ClientAs, team: Catalog) -> None:
    thread, admin = thread_of(EVERY_KIND, catalog=team), client_as(Role.ADMIN)
    for name in ("thread_clear", "thread_clear_all", "thread_clean_up"):
        assert admin.post(reverse(name, args=[thread.pk])).status_code == 404


async def _signed_in(user: User) -> AsyncClient:
    await asyncio.to_thread(give_role, user, Role.PRESENTER)
    client = AsyncClient()
    await client.aforce_login(user)
    return client


async def test_going_on_leads_to_the_new_run(team: Catalog, chat_model: ChatModel, presenter: User, play: Play) -> None:
    play(PlannedModel(says("Hi."), says("On.")))
    thread = await asyncio.to_thread(lambda: thread_of(EVERY_KIND, catalog=team))
    client = await _signed_in(presenter)
    written = {"catalog": team.slug, "chat_model": chat_model.pk, "mode": "eino", "task": "And now?", "after": 1}
    answer = await client.post(reverse("thread_go_on", args=[thread.pk]), written)
    second = await ended(await Run.objects.aget(thread=thread, position=2))
    assert answer.headers["Location"] == second.get_absolute_url()
    assert (second.task, second.mode, second.by_id) == ("And now?", "eino", presenter.pk)


async def test_who_goes_on_too_late_is_shown_the_thread_and_keeps_the_text(
    team: Catalog, chat_model: ChatModel, presenter: User
) -> None:
    thread = await asyncio.to_thread(lambda: thread_of(EVERY_KIND, EVERY_KIND, catalog=team))
    client = await _signed_in(presenter)
    written = {"catalog": team.slug, "chat_model": chat_model.pk, "mode": "", "task": "My long text", "after": 1}
    answer = await client.post(reverse("thread_go_on", args=[thread.pk]), written)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "someone else went on" in html and "My long text</textarea>" in html
    assert '<input type="hidden" name="after" value="2">' in html
    assert await Run.objects.acount() == 2


async def test_a_message_is_needed_to_go_on(team: Catalog, chat_model: ChatModel, presenter: User) -> None:
    thread = await asyncio.to_thread(lambda: thread_of(EVERY_KIND, catalog=team))
    client = await _signed_in(presenter)
    written = {"catalog": team.slug, "chat_model": chat_model.pk, "after": 1}
    answer = await client.post(reverse("thread_go_on", args=[thread.pk]), written)
    assert "task" in answer.context["form"].errors
    assert await Run.objects.acount() == 1


def test_a_run_of_a_thread_tells_its_place_and_what_was_said_before(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND, EVERY_KIND)
    first, second = thread.runs.order_by("position")
    presenter = client_as(Role.PRESENTER)
    html = presenter.get(second.get_absolute_url()).content.decode()
    assert "message <b>2 of 2</b>" in html and first.get_absolute_url() in html
    assert presenter.get(second.get_absolute_url()).context["earlier"]
    assert reverse("thread_go_on", args=[thread.pk]) in html
    html = presenter.get(first.get_absolute_url()).content.decode()
    assert second.get_absolute_url() in html
    assert reverse("thread_go_on", args=[thread.pk]) not in html


def test_the_list_tells_a_message_behind_another_and_a_fork(client_as: ClientAs) -> None:
    thread = thread_of(EVERY_KIND, EVERY_KIND)
    fork = Thread.objects.create(title="Another way", forked_from=thread.runs.first())
    add_run(fork)
    html = client_as(Role.VIEWER).get(reverse("runs")).content.decode()
    assert f'href="{thread.get_absolute_url()}#message-2"' in html
    assert f'<a href="{fork.get_absolute_url()}">fork</a>' in html
