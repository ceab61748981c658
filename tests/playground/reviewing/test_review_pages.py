"""The pages of reviewing: what went wrong, judging it apart from each other, taking it back, and asking it all again."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog import background
from catalog.models import Catalog, Judgement, Suite, Tool
from catalog.roles import Role
from playground.models import Run
from playground.reviewing.queue import queue, wanted
from playground.reviewing.wording import query_digest
from tests.playground.reviewing.stories import call, end, search
from tests.playground.reviewing.sweeping import review_some
from tests.playground.reviewing.test_keeping import record

HTMX = {"HX-Request": "true"}
WEATHER = "team/getWeather"
WHAT_IF = "/what-if/?catalog=team-agent&amp;tool=team/getWeather&amp;query=rain#opened"


@pytest.fixture
def runs(team: Catalog) -> list[Run]:
    """“rain” missed the weather and is asked twice, “notify” found its tool, and “moon” nothing."""
    missed = [
        *(search(1, "rain", "team__notify_user", cut=["team__getWeather"]), search(2, "weather", "team__getWeather")),
        *(call(3, "team__getWeather"), end()),
    ]
    told = [
        *(record(team, *missed), record(team, *missed)),
        record(team, search(1, "notify", "team__notify_user"), call(2, "team__notify_user"), end()),
        record(team, search(1, "moon"), end()),
    ]
    review_some()
    return told


@pytest.fixture
def ann(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.PRESENTER)


@pytest.fixture
def ben(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


def page(client: Client, **asked: str) -> str:
    return client.get(reverse("review"), {"catalog": "team-agent", **asked}).content.decode()


def judge(client: Client, query: str, tool: str, verdict: str, **more: str) -> str:
    said = {"catalog": "team-agent", "query": query, "tool": tool, "verdict": verdict, **more}
    return client.post(reverse("review_judge"), said, headers=HTMX).content.decode()


def verdicts() -> set[tuple[str, str, str]]:
    rows = Judgement.objects.select_related("query", "by")
    return {(row.query.text, row.key, row.verdict) for row in rows}


def test_what_went_wrong_most_comes_first_with_its_raw_parts(team: Catalog, runs: list[Run]) -> None:
    listed = queue(team, None, User.objects.create_user("x"))
    assert [(one.query.text, one.query.times, one.went_wrong) for one in listed] == [
        ("rain", 2, 2),
        ("moon", 1, 1),
        ("weather", 2, 0),
        ("notify", 1, 0),
    ]
    assert (listed[0].wrong, listed[0].unjudged, listed[0].returned) == ((("Near miss", "near-miss", 2),), 1, 1)
    assert [one.query.text for one in queue(team, None, User(), "often")][:2] == ["rain", "weather"]


def test_a_verdict_is_kept_in_the_suite_of_the_catalog_and_can_be_undone(ann: Client, runs: list[Run]) -> None:
    judge(ann, "rain", WEATHER, "right")
    judge(ann, "rain", "team/notify_user", "wrong")
    suite = Suite.objects.get()
    assert (suite.slug, suite.title) == ("reviewed-team-agent", "Reviewed: Team agent")
    assert verdicts() == {("rain", WEATHER, "right"), ("rain", "team/notify_user", "wrong")}
    judge(ann, "rain", "", "no tool")
    assert verdicts() == {("rain", "", "no tool"), ("rain", "team/notify_user", "wrong")}
    for left in (2, 1, 0):
        ann.post(reverse("review_undo"))
        assert len(verdicts()) == left
    assert "There is nothing to undo" in ann.post(reverse("review_undo"), follow=True).content.decode()


def test_people_judge_apart_and_see_then_where_they_differ(
    team: Catalog, ann: Client, ben: Client, runs: list[Run]
) -> None:
    judge(ann, "rain", WEATHER, "right")
    before = page(ben, q=query_digest("rain"), which="all")
    assert "judged by 1 other" in before and "a-presenter: right" not in before
    answer = judge(ben, "Rain", WEATHER, "wrong", address="catalog=team-agent&q=" + query_digest("rain"))
    assert "a-presenter: right" in answer and "People differ" in answer
    listed = queue(team, None, User.objects.get(username="a-curator"))
    assert [one.query.text for one in wanted(listed, "differ")] == ["rain"]
    assert [one.query.text for one in wanted(listed, "mine")] == ["rain"]
    assert Suite.objects.get().queries.count() == 1, "both are the same words"


def test_a_query_with_its_right_tool_leaves_the_list_and_the_next_one_follows(ann: Client, runs: list[Run]) -> None:
    first = page(ann)
    assert f'id="queued-{query_digest("rain")}"' in first and 'data-key="n"' in first
    judge(ann, "rain", WEATHER, "right")
    assert f'id="queued-{query_digest("rain")}"' not in page(ann)
    assert f'id="queued-{query_digest("rain")}"' in page(ann, which="mine")


def test_a_tool_to_judge_leads_to_what_an_edit_of_it_would_do(ann: Client, runs: list[Run]) -> None:
    assert f'href="{WHAT_IF}"' in page(ann, q=query_digest("rain"), which="all")
    opened = ann.get(WHAT_IF.replace("&amp;", "&").partition("#")[0]).content.decode()
    assert "“rain”" in opened and "This is the tool as it is saved" in opened


def test_the_suite_of_reviewed_queries_and_the_queue_lead_to_each_other(ann: Client, runs: list[Run]) -> None:
    assert "/suites/" not in page(ann).partition("<main")[2]
    judge(ann, "rain", WEATHER, "right")
    assert 'href="/suites/reviewed-team-agent/"' in page(ann)
    suite = ann.get("/suites/reviewed-team-agent/").content.decode()
    assert 'href="/review/?catalog=team-agent"' in suite and WEATHER in suite


def test_a_tool_that_nothing_found_is_found_by_its_words(ann: Client, runs: list[Run]) -> None:
    assert 'value="team/list-invoices"' in page(ann, q=query_digest("moon"), find="invoices list")
    assert "No tool of this catalog has all of these words" in page(ann, find="nothing has this")


def test_a_random_order_is_the_same_for_the_same_seed(ann: Client, runs: list[Run]) -> None:
    asked = {"q": query_digest("rain"), "which": "all"}

    def order(seed: str) -> bool:
        shown = page(ann, **asked, shuffle=seed)
        return shown.index(f'value="{WEATHER}"') < shown.index('value="team/notify_user"')

    assert {order(seed) for seed in "abcde"} == {True, False}
    assert order("a") == order("a")


@pytest.mark.parametrize(
    ("tool", "verdict"), [("", "right"), (WEATHER, "no tool"), ("getWeather", "right"), (WEATHER, "great")]
)
def test_an_unfit_verdict_is_refused(ann: Client, team: Catalog, tool: str, verdict: str) -> None:
    judge(ann, "rain", tool, verdict)
    assert verdicts() == set()


def test_a_search_is_judged_inside_its_run(ann: Client, runs: list[Run]) -> None:
    address, call_id = reverse("run_judge", args=[runs[0].pk]), "s1-rain"
    shown = ann.get(address, {"call": call_id}, headers=HTMX).content.decode()
    assert 'name="call" value="s1-rain"' in shown and "cut: top-k 1" in shown
    answer = judge(ann, "rain", WEATHER, "right", run=str(runs[0].pk), call=call_id)
    assert 'aria-pressed="true"' in answer and "queued" not in answer
    assert ann.get(address, {"call": call_id})["Location"].endswith(f"q={query_digest('rain')}")


def test_a_run_lists_what_rules_say_of_it_now(ann: Client, runs: list[Run]) -> None:
    whole = ann.get(runs[0].get_absolute_url()).content.decode()
    assert "team__getWeather was hit 2 and was cut by top-k 1" in whole
    assert f'href="{runs[0].get_absolute_url()}#step-2"' in whole
    assert f'href="{WHAT_IF}"' in whole
    judge(ann, "rain", "team/notify_user", "right")
    again = ann.get(runs[0].get_absolute_url()).content.decode()
    assert "team__getWeather was hit 2 and was cut" not in again


def test_findings_are_counted_by_rule_and_lead_to_their_runs(ann: Client, runs: list[Run]) -> None:
    listed = ann.get(reverse("run_findings")).content.decode()
    assert 'Near miss <b class="num">2</b>' in listed and 'Gave up <b class="num">1</b>' in listed
    asked = {"rule": "near-miss", "subject": query_digest("rain")}
    single = ann.get(reverse("run_findings"), asked).content.decode()
    assert all(f"{run.get_absolute_url()}#step-2" in single for run in runs[:2])
    assert "No rule says anything here" in ann.get(reverse("run_findings"), {"source": "expected"}).content.decode()


def test_searches_asked_again_tell_which_now_miss_the_tool_that_was_called(
    ann: Client, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "submit", lambda work: work())
    Tool.objects.filter(name="getWeather").update(enabled=False)
    Catalog.objects.get().save()
    told = ann.get(reverse("review_replay"), {"catalog": "team-agent", "edition": "draft"}).content.decode()
    assert 'Of <b class="num">5</b> searches, ' in told and '<b class="num">2</b></a> now miss the tool' in told
    assert "not in this version" in told
    assert (
        '<th scope="row">'
        not in ann.get(reverse("review_replay"), {"catalog": "team-agent", "change": "higher"}).content.decode()
    )


def test_a_viewer_reads_and_has_no_buttons(client_as: Callable[[Role], Client], runs: list[Run]) -> None:
    assert 'name="verdict"' not in page(client_as(Role.VIEWER))
