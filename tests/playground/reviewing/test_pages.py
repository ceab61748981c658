"""The confusion map and the advice on pre-discovered tools, as people open and use them."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from catalog.judging import judge
from catalog.models import Catalog, Judgement, Suite, SuiteQuery, Tool
from catalog.roles import Role
from playground.models import Run
from playground.reviewing.advice import LEAST_RUNS
from tests.forms import began_from, send
from tests.playground.reviewing.told import Told, record

ADVICE = "/catalogs/team-agent/upfront/advice/"
MAP = "/confusion/?catalog=team-agent"
INVOICES, WEATHER = "team/list-invoices", "team/getWeather"


def run(catalog: Catalog, query: str = "bills") -> Run:
    """Searches for invoices, finds the weather above them, and notifies nobody though that is in view."""
    told = Told({"team__notify_user": 30, "team__list-invoices": 40, "team__getWeather": 60}, ["team__notify_user"])
    told.search(query, "team__getWeather", "team__list-invoices")
    told.call("team__list-invoices")
    return record(catalog, told.end(), f"Find {query}.")


@pytest.fixture
def runs(team: Catalog) -> list[Run]:
    return [run(team) for _ in range(LEAST_RUNS)]


@pytest.fixture
def curator(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.CURATOR)


def upfront(catalog: Catalog) -> list[str]:
    return [str(row.tool) for row in catalog.pre_discovered.all()]


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_below_the_least_number_of_runs_a_plain_sentence_stands_in_the_place_of_advice(
    team: Catalog, curator: Client
) -> None:
    assert "No completed run of the last 30 days searched this catalog." in text(curator, ADVICE)
    run(team)
    page = text(curator, ADVICE)
    assert f"Advice takes at least {LEAST_RUNS} completed runs that had to find tools; there are 1." in page
    assert "Change the list" not in page


def test_the_advised_list_is_applied_and_undone(team: Catalog, runs: list[Run], curator: Client) -> None:
    page = text(curator, ADVICE)
    assert (
        f"chosen on the older {LEAST_RUNS * 2 // 3}, held against the newest {LEAST_RUNS - LEAST_RUNS * 2 // 3}" in page
    )
    before = upfront(team)
    change = {"add": INVOICES, "withdraw": "team/notify_user"}
    assert all(f'name="{name}" value="{tool}"' in page for name, tool in change.items())
    send(curator, ADVICE, change, "/catalogs/team-agent/upfront/change/")
    assert upfront(team) == [INVOICES]
    undo = re.search(r'action="(\S+/upfront/undo/\S+/)"', text(curator, "/catalogs/team-agent/upfront/"))
    assert undo
    curator.post(undo[1])
    assert upfront(team) == before


def test_what_was_changed_meanwhile_is_not_overwritten(team: Catalog, runs: list[Run], curator: Client) -> None:
    version = began_from(curator, ADVICE)
    team.pre_discovered.all().delete()
    to = "/catalogs/team-agent/upfront/change/"
    curator.post(to, {"began_from": version, "add": INVOICES})
    assert upfront(team) == []
    curator.post(to, {"began_from": began_from(curator, ADVICE), "add": INVOICES})
    token = curator.session["upfront_before"]["token"]
    team.pre_discovered.create(tool=Tool.objects.get(name="getWeather"), position=9)
    curator.post(f"/catalogs/team-agent/upfront/undo/{token}/")
    assert upfront(team) == [INVOICES, WEATHER]


@pytest.mark.parametrize("change", [{}, {"add": "team/gone"}, {"withdraw": "nothing"}])
def test_a_change_of_no_tools_is_refused(team: Catalog, curator: Client, change: dict[str, str]) -> None:
    assert curator.post("/catalogs/team-agent/upfront/change/", change).status_code == 400


def test_a_figure_leads_to_the_runs_and_queries_behind_it(team: Catalog, runs: list[Run], curator: Client) -> None:
    page = text(curator, f"{ADVICE}?tool={INVOICES}&runs=1&pins=0&cached=10&turn=500&days=all")
    search = runs[0].events.get(kind="search_answered").seq - 1
    assert page.count(f'href="/runs/{runs[0].pk}/#step-{search}"') == 2


def test_a_tool_that_searches_do_not_find_stays_in_view(team: Catalog, runs: list[Run], curator: Client) -> None:
    Tool.objects.filter(name="notify_user").update(searchable=False)
    page = text(curator, ADVICE)
    assert 'name="withdraw"' not in page
    assert "1 tool that searches do not find stays in view" in page


def test_the_map_tells_pairs_with_their_evidence_and_how_their_texts_overlap(
    team: Catalog, runs: list[Run], curator: Client
) -> None:
    page = text(curator, MAP)
    assert f'<b class="num">{LEAST_RUNS}</b> ranked above' in page
    assert f"right={INVOICES}&amp;mistaken={WEATHER}#above" in page.replace("%2F", "/")
    assert "No pair has these words." in text(curator, f"{MAP}&q=nothing+like+it")
    assert "No pair has these words." in text(curator, f"{MAP}&kind=tried")


def test_a_pair_leads_to_its_searches_to_both_texts_and_to_what_if(
    team: Catalog, runs: list[Run], curator: Client
) -> None:
    query = SuiteQuery.objects.create(suite=Suite.objects.create(slug="s", title="S", catalog=team), text="invoices")
    for tool, verdict in ((INVOICES, Judgement.Verdict.RIGHT), (WEATHER, Judgement.Verdict.WRONG)):
        judge(query, tool, verdict, None)
    page = text(curator, f"/confusion/pair/?catalog=team-agent&right={INVOICES}&mistaken={WEATHER}")
    assert f"weight {LEAST_RUNS + 3} = 1 × 3 + {LEAST_RUNS} × 1" in page
    assert all(page.count(f'href="/runs/{one.pk}/#step-') == 2 for one in runs), "as evidence, and as returning both"
    assert all(
        f"/what-if/?catalog=team-agent&amp;tool=team%2F{name}" in page for name in ("list-invoices", "getWeather")
    )
    assert f'href="{query.get_absolute_url()}"' in page
    assert "Nothing shows it this way round." in page


@pytest.mark.parametrize("pair", ["", f"&right={WEATHER}&mistaken={WEATHER}", "&right=x&mistaken=y"])
def test_what_is_no_pair_has_no_page(team: Catalog, curator: Client, pair: str) -> None:
    assert curator.get(f"/confusion/pair/?catalog=team-agent{pair}").status_code == 404


def test_an_empty_map_says_why(team: Catalog, curator: Client) -> None:
    assert "No recorded search here" in text(curator, MAP)
    told = Told({"team__getWeather": 60})
    told.search("weather", "team__getWeather")
    told.call("team__getWeather")
    record(team, told.end())
    assert "No tool was mistaken for another" in text(curator, MAP)


def test_without_a_catalog_the_map_leads_to_them(db: None, curator: Client) -> None:
    assert "No catalog yet" in text(curator, "/confusion/")
