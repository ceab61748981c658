"""The pages of lint: the list with its filters, a finding with its evidence, setting aside, and where else it is told."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog import background
from catalog.finding_pages import findings_of
from catalog.importing import import_listing
from catalog.linting import carry_out
from catalog.models import Catalog, Finding, Look, Server, Tool
from catalog.shaping import exclude, place_server
from catalog.sources.listing import read_listing
from tests.catalog.pages import said, text_of

PAGE = "The <b>weather</b> that a city has right now, in Celsius"


@pytest.fixture
def pair(team: Catalog) -> Finding:
    """Two tools of server `twin` that read alike; one tool without a description; all looked at."""
    server = Server.objects.create(slug="twin", title="Twin", kind=Server.Kind.FILE)
    tools = [
        {"name": "city_weather", "description": f"{PAGE} degrees."},
        {"name": "weather_city", "description": f"{PAGE}."},
        {"name": "mute"},
    ]
    import_listing(server, read_listing(tools))
    carry_out(Look.objects.create())
    return Finding.objects.get(rule="near-duplicate")


def test_both_tools_of_a_pair_stand_side_by_side(pair: Finding, curator: Client) -> None:
    page = text_of(curator, f"/lint/{pair.pk}/")
    assert "<mark>degrees</mark>" in page and "<mark>weather</mark>" not in page
    assert "<b>weather" not in page and "&lt;" in page
    assert "/tools/twin/city_weather/edit/" in page and "/tools/twin/weather_city/edit/" in page
    assert "cosine of their words" in page


@pytest.mark.parametrize(
    ("query", "told", "untold"),
    [
        ("", ["city_weather", ">mute<"], []),
        ("?rule=no-description", [">mute<"], ["city_weather"]),
        ("?server=team", ["Nothing of this kind"], ["city_weather"]),
        ("?server=twin", ["city_weather", ">mute<"], []),
        ("?catalog=team-agent", ["Nothing of this kind"], ["city_weather"]),
        ("?state=aside", ["Nothing of this kind"], ["city_weather"]),
        ("?server=nowhere", ["There is no server of this name."], ["city_weather"]),
        ("?rule=nonsense", ["Nothing of this kind"], ["city_weather"]),
    ],
)
def test_the_filters_show_what_they_say(
    pair: Finding, viewer: Client, query: str, told: list[str], untold: list[str]
) -> None:
    page = text_of(viewer, f"/lint/{query}")
    assert [text for text in told if text not in page] == []
    assert [text for text in untold if text in page] == []


def test_a_catalog_has_the_findings_of_what_it_offers(pair: Finding, viewer: Client) -> None:
    place_server(Catalog.objects.get(), pair.tool.server, "patterns", ["mute", "city_*"])
    page = text_of(viewer, "/lint/?catalog=team-agent")
    assert ">mute<" in page and "city_weather" not in page
    assert 'lint <b class="num">1</b>' in text_of(viewer, "/catalogs/team-agent/")


def test_a_server_and_a_tool_lead_to_their_findings(pair: Finding, viewer: Client) -> None:
    assert 'href="/lint/?server=twin">lint <b class="num">2</b>' in text_of(viewer, "/servers/twin/")
    for name in ("city_weather", "weather_city"):
        assert f'href="/lint/{pair.pk}/"' in text_of(viewer, f"/tools/twin/{name}/")


def test_a_curator_sets_a_finding_aside_and_takes_that_back(pair: Finding, curator: Client) -> None:
    given = {"reason": "<b>Both</b> go.", "rests_on": pair.rests_on, "next": "/lint/?server=twin"}
    answer = curator.post(f"/lint/{pair.pk}/set-aside/", given)
    assert answer["Location"] == "/lint/?server=twin"
    assert "city_weather" not in text_of(curator, "/lint/")
    page = text_of(curator, "/lint/?state=aside")
    assert "&lt;b&gt;Both&lt;/b&gt; go." in page and "a-curator" in page
    curator.post(f"/lint/{pair.pk}/reopen/")
    assert "city_weather" in text_of(curator, "/lint/")


def test_in_the_list_a_finding_is_set_aside_in_its_place_and_the_counts_follow(pair: Finding, curator: Client) -> None:
    given = {"reason": "Both go.", "rests_on": pair.rests_on, "next": "/lint/?server=twin"}
    in_place = {"HX-Request": "true", "HX-Target": f"finding-{pair.pk}"}
    page = curator.post(f"/lint/{pair.pk}/set-aside/", given, headers=in_place).content.decode()
    assert "<html" not in page
    assert "Both go." in page and "Open again" in page
    assert 'id="finding-rules"' in page and "Reads like another tool" in page
    assert 'rule=no-description"' in page and 'rule=near-duplicate"' not in page
    page = curator.post(f"/lint/{pair.pk}/reopen/", {"next": "/lint/"}, headers=in_place).content.decode()
    assert 'rule=near-duplicate"' in page
    stale = curator.post(f"/lint/{pair.pk}/set-aside/", given | {"rests_on": "old"}, headers=in_place)
    assert stale["HX-Redirect"] == f"/lint/{pair.pk}/"


def test_an_edit_that_a_finding_led_to_leads_back_to_its_place_in_the_list(pair: Finding, curator: Client) -> None:
    page = text_of(curator, "/lint/?rule=near-duplicate")
    link = f"/tools/twin/city_weather/edit/?next=%2Flint%2F%3Frule%3Dnear-duplicate%23finding-{pair.pk}"
    assert f'href="{link}"' in page
    assert f'name="next" value="/lint/?rule=near-duplicate#finding-{pair.pk}"' in text_of(curator, link)
    given = {"own_description": "Weather.", "began_from": "0", "searchable": "on", "enabled": "on"}
    back = f"/lint/?rule=near-duplicate#finding-{pair.pk}"
    assert curator.post("/tools/twin/city_weather/edit/", given | {"next": back})["Location"] == back
    own = "/tools/twin/weather_city/"
    assert curator.post(f"{own}edit/", given | {"next": "//elsewhere.test/"})["Location"] == own


def test_what_is_looked_at_again_is_what_the_list_is_narrowed_to(pair: Finding, curator: Client) -> None:
    page = text_of(curator, "/lint/?server=twin", **{"HX-Request": "true", "HX-Target": "results"})
    assert 'id="look-again"' in page
    assert '<input type="hidden" name="server" value="twin">' in page


@pytest.mark.parametrize(
    ("query", "told"), [("", "of all tools"), ("?server=team", "of Team"), ("?server=twin", "of all tools")]
)
def test_the_look_that_is_told_of_is_the_last_at_all_that_is_listed(
    pair: Finding, viewer: Client, query: str, told: str
) -> None:
    carry_out(Look.objects.create(server=Server.objects.get(slug="team")))
    assert told in said(text_of(viewer, f"/lint/{query}"))


def test_setting_aside_needs_a_reason_and_the_texts_as_they_were_seen(pair: Finding, curator: Client) -> None:
    assert "Say why" in curator.post(f"/lint/{pair.pk}/set-aside/", {"rests_on": pair.rests_on}).content.decode()
    answer = curator.post(f"/lint/{pair.pk}/set-aside/", {"rests_on": "old", "reason": "x"}, follow=True)
    assert "were changed since you looked" in answer.content.decode()
    pair.refresh_from_db()
    assert pair.is_open


def test_nobody_is_sent_to_a_page_of_others(pair: Finding, curator: Client) -> None:
    given = {"reason": "x", "rests_on": pair.rests_on, "next": "https://elsewhere.test/"}
    assert curator.post(f"/lint/{pair.pk}/set-aside/", given)["Location"] == "/lint/"


def test_a_viewer_is_shown_no_form(pair: Finding, viewer: Client) -> None:
    page = text_of(viewer, "/lint/")
    assert "set-aside" not in page and "Look again" not in page and "/edit/" not in page


def test_a_look_goes_on_in_the_background_one_at_a_time(
    pair: Finding, curator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    work: list[Callable[[], None]] = []
    monkeypatch.setattr(background, "submit_in_line", work.append)
    for _ in range(2):
        assert curator.post("/lint/look/", {"server": "twin"})["Location"] == "/lint/?server=twin"
    assert "Looking at Twin…" in text_of(curator, "/lint/?server=twin")
    (only,) = work
    only()
    assert "of Twin: 3 tools" in text_of(curator, "/lint/?server=twin")


@pytest.mark.parametrize(
    ("excluded", "told"),
    [
        ([], {"near-duplicate", "no-description", "too-long", "repeats-name"}),
        (["mute"], {"near-duplicate", "too-long", "repeats-name"}),
        (["city_weather"], {"no-description", "too-long", "repeats-name"}),
        (["weather_city"], {"no-description"}),
    ],
)
def test_a_catalog_has_its_findings_whether_they_are_few_or_most_of_its_servers(
    pair: Finding, team: Catalog, excluded: list[str], told: set[str]
) -> None:
    place_server(team, pair.tool.server, "everything")
    for rule in ("too-long", "repeats-name"):
        Finding.objects.create(rule=rule, tool=Tool.objects.get(name="weather_city"))
    for name in excluded:
        exclude(team, Tool.objects.get(name=name))
    assert set(findings_of(None, team).values_list("rule", flat=True)) == told


def test_htmx_is_sent_the_results_alone(pair: Finding, viewer: Client) -> None:
    part = text_of(viewer, "/lint/", **{"HX-Request": "true", "HX-Target": "results"})
    assert "<html" not in part and "city_weather" in part


def test_before_the_first_look_the_page_says_what_was_asked(team: Catalog, viewer: Client) -> None:
    Finding.objects.all().delete()
    assert "Nothing found yet" in text_of(viewer, "/lint/")


def test_an_edit_since_is_told(pair: Finding, curator: Client) -> None:
    curator.post("/tools/twin/mute/edit/", {"own_description": "x", "searchable": "on", "enabled": "on"})
    assert "edited since" not in text_of(curator, "/lint/")
    curator.post("/tools/twin/weather_city/edit/", {"own_description": "x", "searchable": "on", "enabled": "on"})
    assert "edited since" in text_of(curator, "/lint/")
