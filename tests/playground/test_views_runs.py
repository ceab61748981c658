"""The runs: their list, one live or replayed, its record."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Catalog
from catalog.owners import this_owner
from catalog.redaction import Redactor
from catalog.roles import Role
from playground.agent.events import Event, ModelAnswered, RunEnded, RunStarted
from playground.models import Run, Thread
from playground.runs.appending import Addition, append
from playground.runs.state import RunState
from tests.playground.runs.recordings import EVERY_KIND

ClientAs = Callable[[Role], Client]


def run_with(*events: Event, task: str = "Weather in Oslo?", catalog: Catalog | None = None) -> Run:
    """A run of this process, so that nobody takes it for one that was left behind."""
    thread = Thread.objects.create(title=task)
    run = Run.objects.create(thread=thread, task=task, catalog=catalog, owner=this_owner())
    now = timezone.now()
    if events:
        stamped = [(now + timedelta(seconds=n / 10), event) for n, event in enumerate(events)]
        append(Addition(run.pk, stamped, Redactor()))
        run.refresh_from_db()
    return run


@pytest.fixture
def viewer(client_as: ClientAs) -> Client:
    return client_as(Role.VIEWER)


def state_on(client: Client, run: Run, **query: str | int) -> RunState:
    state: RunState = client.get(run.get_absolute_url(), query).context["state"]
    return state


def test_an_unfinished_run_is_followed(viewer: Client) -> None:
    answer = viewer.get(run_with(*EVERY_KIND[:8]).get_absolute_url())
    assert answer.context["live"]
    assert "ws-connect" in answer.content.decode()


def test_an_ended_run_is_shown_whole(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    answer = viewer.get(run.get_absolute_url())
    assert "ws-connect" not in answer.content.decode()
    assert answer.context["state"].seq == len(EVERY_KIND)
    assert "The server was stopped." in answer.content.decode()


def test_a_run_is_shown_as_it_was_at_an_event(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    answer = viewer.get(run.get_absolute_url(), {"at": 9})
    assert answer.context["state"].seq == 9
    assert (answer.context["previous"].seq, answer.context["next"].seq) == (8, 10)
    assert "The server was stopped." not in answer.content.decode()


@pytest.mark.parametrize("at", ["x", "-1", "1e9", "999"])
def test_an_event_that_is_not_there_shows_the_whole_run(viewer: Client, at: str) -> None:
    assert state_on(viewer, run_with(*EVERY_KIND), at=at).seq == len(EVERY_KIND)


def test_a_run_without_events_waits(viewer: Client) -> None:
    answer = viewer.get(run_with().get_absolute_url())
    assert answer.context["live"]
    assert "waiting" in answer.content.decode()


def test_a_run_that_is_not_there_is_not_found(viewer: Client) -> None:
    assert viewer.get(reverse("run", args=["00000000-0000-0000-0000-000000000000"])).status_code == 404


def test_the_list_is_filtered_by_words_status_and_catalog(viewer: Client, team: Catalog) -> None:
    rain = run_with(RunEnded("completed"), task="Will it rain in Oslo?", catalog=team)
    run_with(task="Book a room in Oslo")

    def found(**query: str) -> list[Run]:
        return list(viewer.get(reverse("runs"), query).context["page"])

    assert len(found()) == 2
    assert found(q="oslo RAIN") == found(status="completed") == found(catalog=team.slug) == [rain]
    assert found(status="no such status") == []


def test_the_list_has_pages(viewer: Client) -> None:
    thread = Thread.objects.create(title="t")
    Run.objects.bulk_create(Run(thread=thread, task=f"task {number}", position=number) for number in range(51))
    assert len(viewer.get(reverse("runs"), {"page": 2}).context["page"]) == 1


def test_the_list_asks_the_database_as_often_for_many_runs(viewer: Client, django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    thread = Thread.objects.create(title="t")
    Run.objects.bulk_create(Run(thread=thread, task=f"task {number}", position=number) for number in range(40))
    with django_assert_max_num_queries(15):
        viewer.get(reverse("runs"))


def test_the_list_tells_what_each_run_cost(viewer: Client) -> None:
    offer, answers = EVERY_KIND[1], [ModelAnswered(turn, "stop", 0.1, cost=0.25) for turn in (1, 2)]
    run_with(EVERY_KIND[0], offer, *answers, task="Two answers")
    run_with(EVERY_KIND[0], offer, answers[0], ModelAnswered(2, "stop", 0.1), task="One has no price")
    costs = {run.task: figures.cost for run, figures in viewer.get(reverse("runs")).context["rows"]}
    assert costs == {"Two answers": 0.5, "One has no price": None}


def test_a_run_tells_its_cost_and_what_all_tools_would_have(viewer: Client) -> None:
    started = RunStarted("t", "c", "mcpagent", "e", "openai/gpt-5-mini", False, 40, 4_000)
    priced = run_with(started, EVERY_KIND[1], ModelAnswered(1, "stop", 0.1, cost=0.034, cost_all=1.5))
    page = viewer.get(priced.get_absolute_url()).content.decode()
    assert "about $0.034" in page and "($1.50 with all tools)" in page
    unpriced = run_with(started, EVERY_KIND[1], ModelAnswered(1, "stop", 0.1))
    assert "no price known" in viewer.get(unpriced.get_absolute_url()).content.decode()
    assert "free, scripted" in viewer.get(run_with(*EVERY_KIND).get_absolute_url()).content.decode()


def test_a_broken_prefix_says_what_broke_it(viewer: Client) -> None:
    page = viewer.get(run_with(*EVERY_KIND).get_absolute_url()).content.decode()
    assert "tools: files__list was taken away; the first 200 tokens as before" in page


def test_htmx_gets_the_results_alone(viewer: Client) -> None:
    answer = viewer.get(reverse("runs"), headers={"HX-Request": "true", "HX-Target": "results"})
    assert "<html" not in answer.content.decode()


def test_the_record_can_be_downloaded(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    answer = viewer.get(reverse("run_events", args=[run.pk]))
    record = answer.json()
    assert "attachment" in answer["Content-Disposition"]
    assert [event["seq"] for event in record["events"]] == list(range(1, len(EVERY_KIND) + 1))
    assert record["events"][0]["task"] == "Weather in Oslo?"
    assert record["run"]["status"] == "interrupted"


@pytest.mark.django_db(transaction=True)
def test_a_presenter_stops_a_run(client_as: ClientAs) -> None:
    run = run_with(*EVERY_KIND[:3])
    answer = client_as(Role.PRESENTER).post(reverse("run_stop", args=[run.pk]))
    run.refresh_from_db()
    assert (answer.status_code, run.stop_requested) == (302, True)


def test_a_viewer_stops_nothing(viewer: Client) -> None:
    run = run_with(*EVERY_KIND[:3])
    assert viewer.post(reverse("run_stop", args=[run.pk])).status_code == 403
    run.refresh_from_db()
    assert not run.stop_requested
