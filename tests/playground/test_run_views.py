"""The views of a run: trace, raw and toolset, each an address, at any moment of the run; and its searches, explained."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from catalog.editing import save_overlay
from catalog.models import Catalog, Tool
from catalog.policy import PHASES, Condition
from catalog.publishing.acts import gather, publish_as_is
from catalog.roles import Role
from catalog.shaping import exclude
from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    HitFound,
    OfferMade,
    RunStarted,
    SearchAnswered,
    ToolInView,
)
from playground.models import Run, RunExchange
from playground.socket_rules import view_asked
from tests.catalog.policies import add as add_rule
from tests.playground.runs.recordings import EVERY_KIND
from tests.playground.test_views_runs import run_with

ClientAs = Callable[[Role], Client]
HOSTILE = "<img src=x onerror=alert(1)>\u202e"


@pytest.fixture
def viewer(client_as: ClientAs) -> Client:
    return client_as(Role.VIEWER)


def page(client: Client, run: Run, **query: str | int) -> str:
    answer = client.get(run.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_each_view_is_an_address_that_keeps_the_moment(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    for view in ("trace", "raw", "toolset"):
        html = page(viewer, run, view=view, at=9)
        assert re.search(rf'href="[^"]*\?view={view}&amp;at=9" aria-current="page"', html)
        assert f'href="?at=10&amp;view={view}"' in html
        assert 'id="run-chat"' not in html
    assert 'id="run-chat"' in page(viewer, run, view="nothing")


def test_the_trace_has_a_row_with_a_name_for_each_step(viewer: Client) -> None:
    html = page(viewer, run_with(*EVERY_KIND), view="trace")
    assert {'id="e2"', 'id="e2-model"', 'id="e7"', 'id="e12"'} <= set(re.findall(r'id="e[\w-]+"', html))
    assert 'href="search/7/"' in html.replace('href="/runs', "")


def test_a_long_answer_is_folded_until_it_is_asked_for(viewer: Client) -> None:
    answered = CallFinished(1, "search-1", "search_tools", "ok", "x" * 5_000 + "end", 0.1)
    run = run_with(*EVERY_KIND[:8], answered)
    assert "xend" not in page(viewer, run, view="trace")
    assert "Show all 5,003 characters" in page(viewer, run, view="trace")
    assert "xend" in page(viewer, run, view="trace", open="e7")


def test_a_cell_of_the_toolset_opens_what_did_it(viewer: Client) -> None:
    html = page(viewer, run_with(*EVERY_KIND), view="toolset", at=20)
    assert 'href="?view=trace&amp;at=20#e7" title="Turn 1: found at rank 1 by “weather”"' in html
    assert "files__list was taken away" in page(viewer, run_with(*EVERY_KIND), view="toolset")


def keep(run: Run, **parts: object) -> None:
    RunExchange.objects.create(run=run, number=1, turn=1, at=run.created_at, seconds=0.2, status=200, **parts)


def test_the_raw_view_shows_what_was_sent_and_what_came_back(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    sent = {"model": "m", "messages": [{"role": "user", "content": HOSTILE}], "tools": []}
    keep(run, sent=sent, received=[{"choices": [{"delta": {"content": HOSTILE}}]}])
    html = page(viewer, run, view="raw", turn=1)
    assert "<img" not in html and "&lt;img" in html
    assert "\\u202e" in html and "\u202e" not in html
    assert "found weather__get" in html
    (told,) = json.loads(viewer.get(f"{run.get_absolute_url()}requests.json", {"turn": 1}).content)
    assert told["request"] == sent
    assert json.loads(viewer.get(f"{run.get_absolute_url()}requests.json", {"turn": 2}).content) == []


def test_what_was_not_recorded_is_said_so(viewer: Client) -> None:
    run = run_with(*EVERY_KIND)
    assert "The request of turn 2 was not recorded" in page(viewer, run, view="raw", turn=2)
    Run.objects.filter(pk=run.pk).update(imported_from="claude-code")
    assert "The run was imported" in page(viewer, run, view="raw", turn=2)
    open_call = run_with(*EVERY_KIND[:2])
    assert "The model is being asked" in page(viewer, open_call, view="raw")


@pytest.mark.parametrize(("query", "view"), [(b"view=trace", "trace"), (b"", "chat"), (b"view=%ff&x", "chat")])
def test_a_socket_follows_the_view_that_its_address_names(query: bytes, view: str) -> None:
    assert view_asked(query) == view


def searching(catalog: Catalog, query: str, *, version: bool, context: dict[str, str] | None = None) -> Run:
    """A run that had loaded `notify_channel` when it searched."""
    loaded = ToolInView("team__notify_channel", "team", "loaded", 9, "before")
    events: tuple[Event, ...] = (
        RunStarted("t", catalog.title, "mcpagent", "pegboard", "x", True, 5, 500),
        OfferMade(1, (loaded,), (loaded.name,), (), 9, True),
        CallMade(1, "s", "search_tools", "{}", True),
        SearchAnswered(1, "s", query, "pegboard", (HitFound(1, "team__getWeather", "team", 1.0),), 1, 5, True),
    )
    run = run_with(*events, catalog=catalog)
    Run.objects.filter(pk=run.pk).update(
        version=catalog.versions.last() if version else None, context=context or {}, edition="draft"
    )
    return run


def explained(client: Client, run: Run) -> str:
    answer = client.get(f"{run.get_absolute_url()}search/3/")
    assert answer.status_code == 302
    return str(answer["Location"])


def words(client: Client, address: str) -> str:
    html = client.get(address, follow=True).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"</?(ins|del)>", "", html)).split())


def test_a_search_is_explained_as_it_was_asked(viewer: Client, team: Catalog) -> None:
    gather(team)
    run = searching(team, "weather", version=True, context={"role": "guest"})
    Tool.objects.filter(name="getWeather").update(own_description="Rain")
    told = parse_qs(urlsplit(explained(viewer, run)).query)
    assert {name: told[name] for name in ("version", "engine", "k", "asked_with", "asked_in_view")} == {
        "version": ["1"],
        "engine": ["pegboard"],
        "k": ["1"],
        "asked_with": ["role = guest"],
        "asked_in_view": ["team__notify_channel"],
    }
    shown = words(viewer, explained(viewer, run))
    assert "Answered by version 1" in shown and "Current weather in a city." in shown
    assert "Rain" not in shown


def test_any_tool_can_be_asked_for_at_the_version_of_then(viewer: Client, team: Catalog) -> None:
    gather(team)
    exclude(team, Tool.objects.get(name="getWeather"))
    address = explained(viewer, searching(team, "weather", version=True))
    why = words(viewer, f"{address}&why=team__notify_channel")
    assert "version 1 holds it" in why and "in view already when the search was asked" in why
    assert "does not match it" in why
    off = Tool.objects.get(name="list-invoices")
    off.enabled = False
    off.save()
    assert "this acts at once, on every version" in words(viewer, f"{address}&why=team__list-invoices")
    assert "No server has a tool of this name" in words(viewer, f"{address}&why=nothing_like_it")


def test_a_tool_that_came_later_is_not_held_by_the_version(viewer: Client, team: Catalog) -> None:
    exclude(team, Tool.objects.get(name="getWeather"))
    gather(team)
    address = explained(viewer, searching(team, "channel", version=True))
    assert "version 1 does not hold it" in words(viewer, f"{address}&why=team__getWeather")


def test_where_no_version_was_kept_the_page_says_whether_something_changed(viewer: Client, team: Catalog) -> None:
    run = searching(team, "weather", version=False)
    address = explained(viewer, run)
    assert "version" not in parse_qs(urlsplit(address).query)
    a_minute_later = timezone.now() + timedelta(minutes=1)
    Tool.objects.filter(name="getWeather").update(own_description="Weather, rain or sun", updated_at=a_minute_later)
    later = address.replace("asked_at=20", "asked_at=21")
    assert "No version of then was kept" in words(viewer, address)
    assert "Neither tools nor settings were changed since" in words(viewer, later)


def test_a_version_that_holds_what_the_catalog_holds_now_can_be_edited(viewer: Client, team: Catalog) -> None:
    publish_as_is(team)
    run = searching(team, "weather", version=True)
    assert "version=" not in explained(viewer, run)
    tool = Tool.objects.get(name="getWeather")
    tool.own_description = "Rain"
    save_overlay(tool, None)
    assert "version=1" in explained(viewer, run)


def test_the_request_of_then_decides_what_the_policy_lets_past(viewer: Client, team: Catalog) -> None:
    add_rule(team, "*getWeather", PHASES, Condition("role", ("guest",)))
    guest, other = (
        searching(team, "weather", version=False, context=one) for one in ({"role": "guest"}, {"role": "owner"})
    )
    assert "kept out whatever its score" in words(viewer, explained(viewer, guest))
    assert "kept out whatever its score" not in words(viewer, explained(viewer, other))


def test_what_is_no_search_is_not_found(viewer: Client, team: Catalog) -> None:
    run = searching(team, "weather", version=False)
    assert viewer.get(f"{run.get_absolute_url()}search/2/").status_code == 404
