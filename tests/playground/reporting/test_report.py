"""The report of a catalog: its numbers against runs made by hand, and each of them followed to what is behind it."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.indexing import exposure_of
from catalog.models import Catalog, Contact, Drift, Tool
from catalog.roles import Role
from playground.models import Run, RunFinding
from playground.report_forms import PeriodForm
from playground.reporting.counted import counted_runs
from playground.reporting.document import Report
from playground.reporting.links import Links
from playground.reporting.listing import queries_in, tools_in
from playground.reporting.making import find
from playground.reporting.measures import Measures, measured
from playground.reporting.period import last_days
from playground.reporting.writing import table_csv
from playground.run_list_forms import RunFilterForm
from playground.runs.narrowing import that_did
from tests.playground.reporting.stories import FOUND_AND_CALLED, FOUND_AND_FAILED, LED_NOWHERE, TODAY, begun

WEEK = last_days(7, TODAY)
DAYS = {"since": WEEK.since.isoformat(), "until": WEEK.until.isoformat()}


@pytest.fixture
def story(team: Catalog) -> Catalog:
    """Three runs in the week, one on the last day before it, and four that are not counted."""
    begun(0, *FOUND_AND_CALLED, catalog=team)
    parent = begun(6, *FOUND_AND_FAILED, catalog=team)
    begun(2, *LED_NOWHERE, catalog=team)
    begun(7, *FOUND_AND_CALLED, catalog=team)
    begun(-1, *FOUND_AND_CALLED, catalog=team)
    nested, imported = (begun(1, *FOUND_AND_CALLED, catalog=team) for _ in range(2))
    Run.objects.filter(pk=nested.pk).update(parent=parent)
    Run.objects.filter(pk=imported.pk).update(imported_from="claude-code")
    begun(1, *FOUND_AND_CALLED, catalog=Catalog.objects.create(slug="other", title="Other"))
    return team


@pytest.fixture
def made(story: Catalog) -> Measures:
    return measured(story, WEEK)


@pytest.fixture
def viewer(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


def page(client: Client, name: str = "catalog_report", **query: str) -> Any:
    return client.get(reverse(name, args=["team-agent"]), {**DAYS, **query})


def report_on(client: Client) -> Report:
    report: Report = page(client).context["report"]
    return report


def test_runs_are_counted_by_how_they_ended(made: Measures) -> None:
    assert made.now.totals.outcomes == {"completed": 2, "failed": 1}
    assert made.before.totals.outcomes == {"completed": 1}
    assert (made.now.totals.ended, made.now.totals.searching, made.now.totals.free) == (3, 3, 1)


def test_tokens_are_those_of_every_prompt_against_every_tool_in_each(made: Measures) -> None:
    totals = made.now.totals
    assert (totals.prompts, totals.tokens, totals.tokens_all) == (5, 460 + 460 + 180, 5 * 1_000)
    assert (totals.tokens_a_prompt, totals.all_a_prompt, totals.tokens_spared) == (220, 1_000, 3_900)
    assert (totals.told_cache, totals.read, totals.cached) == (3, 2_000, 500)


def test_cost_is_told_of_the_runs_of_which_every_answer_has_a_price(made: Measures) -> None:
    totals = made.now.totals
    assert (totals.priced, round(totals.cost, 6), round(totals.dollars_spared, 6)) == (1, 0.03, 0.09)


def test_a_search_led_to_a_call_where_a_later_turn_called_what_it_had_returned(made: Measures) -> None:
    trails = made.now.trails
    assert (trails.searches, trails.led) == (4, 2)
    weather, pto = trails.queries["weather"], trails.queries["pto"]
    assert (weather.times, weather.led, weather.nowhere, weather.empty, len(weather.runs)) == (3, 2, 1, 0, 3)
    assert (pto.times, pto.nowhere, pto.empty) == (1, 1, 1)
    assert (weather.found["team__notify_user"], weather.called["team__notify_user"]) == (1, 0)


def test_calls_are_counted_by_tool_and_by_how_they_went(made: Measures) -> None:
    tool = made.now.trails.tools["team__getWeather"]
    assert (tool.calls, tool.failed, tool.refused, tool.denied, tool.found, tool.led) == (2, 1, 1, 1, 3, 2)
    assert "mail__send" not in made.now.trails.tools, "a hit that was cut is not one that the model was given"


def test_tools_that_nobody_called_are_weighed_by_the_last_prompts_that_had_them(story: Catalog) -> None:
    found = find(story, WEEK)
    assert {one.name: (one.runs, one.weight) for one in found.measures.now.viewed.values()} == {
        "team__ask_human": (3, 180),
        "team__getWeather": (2, 200),
    }
    assert "team__getWeather" not in found.idle.names
    assert (len(found.idle.names), found.idle.never_found, found.idle.tools) == (4, 3, 5)
    assert (found.nested, found.imported) == (1, 1)


def test_the_days_of_a_period_add_up_to_it(made: Measures) -> None:
    parts = list(made.parts())
    assert [part.runs for part in parts] == [1, 0, 0, 0, 1, 0, 1]
    assert [(part.led, part.nowhere) for part in parts if part.runs] == [(1, 0), (0, 2), (1, 0)]
    assert [part.other for part in parts if part.runs] == [1, 0, 0]


def test_findings_are_counted_by_rule_with_the_runs_that_have_them(story: Catalog, viewer: Client) -> None:
    for run in Run.objects.all():
        RunFinding.objects.create(run=run, rule="failed-call", subject="x", seq=1, sentence="It failed.")
    twice = counted_runs(story, WEEK)[0]
    RunFinding.objects.create(run=twice, rule="search-miss", subject="x", seq=1, sentence="It missed.")
    RunFinding.objects.create(run=twice, rule="search-miss", subject="y", seq=2, sentence="It missed again.")
    found = find(story, WEEK).findings
    told = [(one.rule.slug, one.times, one.runs, one.runs_before) for one in found.ruled]
    assert told == [("search-miss", 2, 1, 0), ("failed-call", 3, 3, 1)]
    for one in found.ruled:
        groups = viewer.get(Links(story.slug, WEEK).findings(one.rule.slug)).context["groups"]
        assert sum(group.times for group in groups) == one.times, "which a number of findings leads to"
    assert found.unread == 3, "nobody has read these runs"
    assert that_did(counted_runs(story, WEEK), "finding-search-miss").get() == twice


def test_what_was_counted_is_counted_anew_once_a_run_comes_or_goes(made: Measures) -> None:
    assert measured(made.catalog, WEEK).now is made.now, "kept while nothing changes"
    late = begun(3, *FOUND_AND_CALLED, catalog=made.catalog)
    assert measured(made.catalog, WEEK).now.totals.runs == 4
    late.delete()
    assert measured(made.catalog, WEEK).now.totals.runs == 3


NARROWED: list[tuple[dict[str, str], int]] = [
    ({}, 3),
    ({"status": "completed"}, 2),
    ({"did": "searched"}, 3),
    ({"did": "called"}, 2),
    ({"tool": "team__getWeather"}, 2),
    ({"did": "failed", "tool": "team__getWeather"}, 1),
    ({"did": "failed", "tool": "team__notify_user"}, 0),
    ({"did": "refused"}, 1),
    ({"did": "denied", "tool": "team__getWeather"}, 1),
    ({"did": "denied", "tool": "team__notify_user"}, 0),
    ({"did": "viewed", "tool": "team__ask_human"}, 3),
    ({"did": "viewed", "tool": "team__getWeather"}, 2),
    ({"did": "viewed", "tool": "Weather"}, 0),
    ({"did": "priced"}, 1),
    ({"query": "pto"}, 1),
    ({"query": "PTO"}, 0),
]


def test_runs_are_narrowed_to_what_a_number_counts(story: Catalog) -> None:
    asked = {"catalog": story.slug, "nested": "own", **DAYS}
    found = [(query, RunFilterForm({**asked, **query}).runs().count()) for query, _ in NARROWED]
    assert found == NARROWED


@pytest.mark.usefixtures("story")
def test_every_number_leads_to_what_is_behind_it(viewer: Client) -> None:
    report = report_on(viewer)
    tables = [table for section in report.sections for table in section.tables]
    cells = [*report.headline, *(cell for table in tables for row in table.rows for cell in row)]
    addresses = {cell.address for cell in cells} | {
        figure.address for section in report.sections for figure in section.figures
    }
    places = {address for address in addresses if address and not address.startswith("#")}
    assert len(places) > 15
    assert {viewer.get(address).status_code for address in places} == {200}
    by_label = {figure.label: figure for section in report.sections for figure in section.figures}
    for label in ("runs", "call failed", "call not sent", "call denied by the policy"):
        figure = by_label[label]
        assert viewer.get(figure.address).context["page"].paginator.count == int(figure.value)


@pytest.mark.usefixtures("story")
def test_the_headline_says_what_is_known_and_no_percentage_of_a_few(viewer: Client) -> None:
    assert [cell.text for cell in report_on(viewer).headline] == [
        "3 runs",
        "2 of 3 completed",
        "2 of 4 of the searches led to a call",
        "a prompt held 220 of 1.0k tokens of tools",
        "$0.090 less than sending every tool, in the 1 run with a price",
    ]
    text = page(viewer).content.decode()
    assert "95 % interval" not in text
    assert "1 that another run started and 1 imported from elsewhere" in text


def test_what_changed_is_told_with_versions_edits_drift_and_servers(viewer: Client, story: Catalog) -> None:
    tool = Tool.objects.get(name="getWeather")
    change = {"tool": tool, "upstream": {}, "upstream_hash": "x", "changes_meaning": True, "kinds": ["<b>reworded</b>"]}
    Drift.objects.create(**change)
    tool.versions.create(layer="overlay", content={})
    Contact.objects.create(server=tool.server, kind="call", seconds=1.0, problem="It was not there.")
    Contact.objects.create(server=tool.server, kind="call", seconds=1.0)
    answer = viewer.get(reverse("catalog_report", args=[story.slug]))
    report = answer.context["report"]
    assert [cell.text for cell in report.table("edited").rows[0]][:2] == ["team/getWeather", "1"]
    assert report.table("drifts").rows[0][2].text == "waits for review"
    assert [cell.text for cell in report.table("unreached").rows[0]] == ["team", "1 of 2", "It was not there."]
    assert "&lt;b&gt;reworded" in answer.content.decode()


def test_the_searches_behind_a_number_are_listed(made: Measures) -> None:
    texts = {
        led: [one.text for one in queries_in(made.now.trails, led, "")] for led in ("", "called", "nowhere", "empty")
    }
    assert texts == {"": ["weather", "pto"], "called": ["weather"], "nowhere": ["pto", "weather"], "empty": ["pto"]}
    assert [one.text for one in queries_in(made.now.trails, "", "team__notify_user")] == ["weather"]
    assert queries_in(made.now.trails, "called", "team__notify_user") == []


@pytest.mark.usefixtures("story")
def test_the_pages_of_searches_and_tools_show_their_rows(viewer: Client) -> None:
    searches = page(viewer, "catalog_report_searches", tool="team__notify_user")
    assert [(query.text, *counts) for query, *counts in searches.context["page"]] == [("weather", 1, 0)]
    assert "returned <b>team__notify_user</b>" in searches.content.decode()
    tools = page(viewer, "catalog_report_tools", which="wrong").content.decode()
    assert reverse("tool", args=["team", "getWeather"]) in tools


def test_the_tools_behind_a_number_are_listed(made: Measures) -> None:
    offered = exposure_of(made.catalog).pool
    names = {
        which: {row.tool.name for row in tools_in(made, offered, which)} for which in ("called", "wrong", "weight")
    }
    weather, ask = {"team__getWeather"}, {"team__ask_human"}
    assert names == {"called": weather, "wrong": weather, "weight": ask}
    assert {row.tool.name for row in tools_in(made, offered, "unused")} == {tool.name for tool in offered} - weather
    assert len(tools_in(made, offered, "")) == 5


@pytest.mark.parametrize(
    ("query", "since", "refused"),
    [
        ({}, date(2026, 11, 11), False),
        ({"days": "7"}, date(2026, 12, 4), False),
        ({"days": "8"}, date(2026, 11, 11), True),
        ({"since": "2026-12-09", "until": "2026-12-01"}, date(2026, 11, 11), True),
        ({"since": "1999-01-01"}, date(2026, 11, 11), True),
        ({"since": "2026-12-01"}, date(2026, 12, 1), False),
    ],
)
def test_days_that_cannot_be_read_leave_the_usual_ones(
    monkeypatch: pytest.MonkeyPatch, query: dict[str, str], since: date, refused: bool
) -> None:
    monkeypatch.setattr("django.utils.timezone.localdate", lambda *_: TODAY)
    form = PeriodForm(query)
    assert form.period.since == since
    assert form.is_valid() is not refused


def test_a_catalog_without_runs_has_a_report_and_days_that_cannot_be_read_are_told(
    viewer: Client, team: Catalog
) -> None:
    answer = viewer.get(reverse("catalog_report", args=[team.slug]), {"days": "8"}).content.decode()
    assert "No run was begun in these days" in answer
    assert "These are the usual ones" in answer


@pytest.mark.usefixtures("story")
def test_a_report_is_taken_out_as_markdown_and_json(viewer: Client) -> None:
    text = page(viewer, "catalog_report_markdown").content.decode()
    assert text.startswith("# Team agent: 4 Dec 2026 to 10 Dec 2026\n")
    assert "| [pto](http://testserver/runs/?" in text
    told = json.loads(page(viewer, "catalog_report_json").content)
    assert (told["format"], told["runs"]["count"], told["before"]["count"]) == ("pegboard-report", 3, 1)
    assert told["runs"]["tokens"] == {"prompts": 5, "of_tools": 1_100, "of_every_tool": 5_000}
    assert told["not_counted"] == {"nested": 1, "imported": 1}
    assert told["queries"][0] == {"text": "weather", "asked": 3, "led": 2, "empty": 0, "runs": 3}


def test_what_strangers_wrote_is_no_markup_and_no_formula(viewer: Client, team: Catalog) -> None:
    hostile = '=HYPERLINK("http://x")|[a](b)<script>'
    renamed = [
        type(event)(**{**{name: getattr(event, name) for name in event.__slots__}, "query": hostile})
        if event.kind == "search_answered"
        else event
        for event in LED_NOWHERE
    ]
    begun(0, *renamed, catalog=team)
    assert "<script>" not in page(viewer).content.decode().split("</head>")[1].split('<p class="report-headline">')[1]
    text = page(viewer, "catalog_report_markdown").content.decode()
    assert r"=HYPERLINK\(\"" not in text
    assert r"\|\[a\]\(b\)\<script\>" in text
    table = report_on(viewer).table("nowhere")
    assert table is not None
    assert table_csv(table).splitlines()[1].startswith("\"'=HYPERLINK(")


def test_a_table_that_is_not_there_is_not_found(viewer: Client, team: Catalog) -> None:
    assert viewer.get(reverse("catalog_report_table", args=[team.slug, "nothing"])).status_code == 404
