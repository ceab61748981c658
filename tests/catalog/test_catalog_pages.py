"""Catalogs: what each exposes, and shaping them by its buttons and forms."""

import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from catalog.models import Catalog, Tool
from catalog.shaping import exclude
from tests.catalog.pages import said, text_of
from tests.forms import send


def test_catalogs_tell_how_much_is_in_view_discoverable_and_left_out(viewer: Client, team: Catalog) -> None:
    exclude(team, Tool.objects.get(name="getWeather"))
    page = text_of(viewer, "/catalogs/")
    assert "<dt>from the start</dt><dd>2</dd>" in page
    assert "<dt>discoverable</dt><dd>2</dd>" in page
    assert "<dt>left out</dt><dd>1</dd>" in page
    assert "/search/?catalog=team-agent" in page
    assert "engine of the mode" in page
    Catalog.objects.update(engine="like")
    assert "engine LIKE" in text_of(viewer, "/catalogs/")


def test_a_catalog_has_a_tab_a_part_and_says_why_a_tool_is_left_out(viewer: Client, team: Catalog) -> None:
    exclude(team, Tool.objects.get(name="getWeather"))
    assert "getWeather" not in text_of(viewer, "/catalogs/team-agent/")
    out = text_of(viewer, "/catalogs/team-agent/?part=left-out")
    assert "getWeather" in out
    assert "the catalog excludes it by name" in out
    start = text_of(viewer, "/catalogs/team-agent/?part=upfront")
    assert "always in view: its category is human" in start
    assert "Exclude" not in start


def test_a_catalog_s_tools_are_filtered_in_place(viewer: Client, team: Catalog) -> None:
    part = text_of(viewer, "/catalogs/team-agent/?q=weather", **{"HX-Request": "true", "HX-Target": "tools"})
    assert "getWeather" in part
    assert "notify_channel" not in part
    assert "<html" not in part
    assert "No tool matches here" in text_of(viewer, "/catalogs/team-agent/?q=zzz")


@pytest.mark.parametrize(
    ("action", "name", "upfront"),
    [
        ("show", "getWeather", ["notify_user", "getWeather"]),
        ("withdraw", "notify_user", []),
        ("up", "notify_user", ["notify_user"]),
    ],
)
def test_a_tool_is_shown_from_the_start_or_withdrawn(
    curator: Client, team: Catalog, action: str, name: str, upfront: list[str]
) -> None:
    back = f"{team.get_absolute_url()}?part=discoverable&q=e"
    response = curator.post("/catalogs/team-agent/tool/", {"action": action, "tool": f"team/{name}", "next": back})
    assert response.headers["Location"] == back
    assert [row.tool.name for row in team.pre_discovered.all()] == upfront


def test_a_tool_is_excluded_and_included_again(curator: Client, team: Catalog) -> None:
    for action, rest in (("exclude", 1), ("include", 0)):
        curator.post("/catalogs/team-agent/tool/", {"action": action, "tool": "team/getWeather"})
        assert team.excluded.count() == rest


def test_an_action_leads_nowhere_else(curator: Client, team: Catalog) -> None:
    wanted = {"action": "exclude", "tool": "team/getWeather", "next": "https://elsewhere.example/"}
    response = curator.post("/catalogs/team-agent/tool/", wanted)
    assert response.headers["Location"] == team.get_absolute_url()
    assert curator.post("/catalogs/team-agent/tool/", {"action": "burn", "tool": "team/getWeather"}).status_code == 400


def test_a_catalog_is_made_then_its_servers_are_chosen(curator: Client, team: Catalog) -> None:
    response = curator.post("/catalogs/add/", {"title": "Sales agent"})
    assert response.headers["Location"] == "/catalogs/sales-agent/servers/"
    assert "was made" in str(next(iter(get_messages(response.wsgi_request))))
    page = text_of(curator, "/catalogs/sales-agent/servers/")
    assert "0 of 5 let in" in page
    chosen = {"team-choice": "patterns", "team-patterns": "notify_*"}
    assert "notify_channel" in send(curator, "/catalogs/sales-agent/servers/", chosen, follow=True).content.decode()
    # The tool of a special category passes any filter.
    assert "3 of 5 let in" in text_of(curator, "/catalogs/sales-agent/servers/")


def test_a_server_by_name_needs_a_pattern(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/team-agent/servers/", {"team-choice": "patterns", "team-patterns": ""})
    assert "Write at least one pattern" in page.content.decode()
    assert team.servers.get().everything


def test_a_catalog_s_short_name_is_not_taken_twice(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/add/", {"title": "Another", "slug": "team-agent"}).content.decode()
    assert "There is a catalog named team-agent already." in page


def test_a_catalog_that_is_made_on_its_page_has_the_gate_that_any_new_one_has(curator: Client) -> None:
    page = text_of(curator, "/catalogs/add/")
    assert re.findall(r'<option value="(\w+)" selected>', page) == ["warn"]


CATALOG_PAGES = {
    "": "Tools",
    "servers/": "Servers",
    "upfront/": "From the start",
    "mode/": "Mode and prompt",
    "policy/": "Policy",
    "versions/": "Versions",
    "edit/": "Settings",
}


def test_every_page_of_a_catalog_has_the_same_head_and_says_which_it_is(curator: Client, team: Catalog) -> None:
    for address, word in CATALOG_PAGES.items():
        page = text_of(curator, f"/catalogs/team-agent/{address}")
        tabs = re.search(r'aria-label="Pages of the catalog">(.*?)</nav>', page, re.DOTALL)
        assert tabs is not None, address
        assert said(tabs.group(1)) == " ".join(CATALOG_PAGES.values())
        assert re.findall(r'aria-current="page">(.*?)</a>', tabs.group(1)) == [word]
        assert page.count("Run</a>") == 1, address


def test_a_page_under_a_tab_leads_back_to_it_and_those_who_may_not_change_a_catalog_have_no_tab_for_that(
    curator: Client, viewer: Client, team: Catalog
) -> None:
    page = text_of(curator, "/catalogs/team-agent/servers/team/")
    assert '<a href="/catalogs/team-agent/servers/" aria-current="true">Servers</a>' in page
    page = text_of(viewer, "/catalogs/team-agent/")
    assert "/catalogs/team-agent/servers/" not in page
    assert "/catalogs/team-agent/edit/" not in page
    assert "/catalogs/team-agent/clone/" not in page
