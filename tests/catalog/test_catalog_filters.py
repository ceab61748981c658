"""Filters of a catalog's servers: tools picked by hand, and what a change would do, shown before it is saved."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.models import Catalog, CatalogServer, Server
from catalog.previewing import preview_filters
from catalog.shaping import filter_of, place_server
from catalog.sources.listing import read_listing
from tests.catalog.pages import said, text_of
from tests.forms import send

HTMX = {"HX-Request": "true", "HX-Target": "preview"}


def names_of(catalog: Catalog) -> set[str]:
    return {tool.upstream_name for tool in exposure_of(catalog).pool}


@pytest.fixture
def stars(db: None) -> Server:
    """A server that names a tool as if it were a pattern."""
    server = Server.objects.create(slug="stars", title="Stars", kind=Server.Kind.FILE)
    import_listing(server, read_listing([{"name": name, "inputSchema": {}} for name in ("*", "aa", "a?")]))
    return server


def test_tools_picked_by_hand_are_let_in_and_no_other(team: Catalog) -> None:
    place_server(team, team.servers.get().server, "picked", ["getWeather"])
    assert names_of(team) == {"getWeather", "ask_human"}
    reasons = {out.reason for out in exposure_of(team).left_out}
    assert reasons == {"filter: team: 1 picked by hand"}


@pytest.mark.parametrize("options", [{}, {"fidelity": "implemented"}])
@pytest.mark.parametrize("picked", ["*", "a?"])
def test_a_name_picked_by_hand_is_never_a_pattern(
    team: Catalog, stars: Server, picked: str, options: dict[str, str]
) -> None:
    team.mode_options = options
    place_server(team, stars, "picked", [picked])
    assert {tool.upstream_name for tool in exposure_of(team).pool if tool.server == "stars"} == {picked}


def test_a_filter_that_names_nothing_is_refused_wherever_it_is_written(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/team-agent/servers/", {"team-choice": "picked", "team-picked": " \n"})
    assert "Pick at least one tool" in page.content.decode()
    assert '<b>Nothing was saved.</b> <a href="#server-team">Team</a>' in page.content.decode()
    assert team.servers.get().everything
    listed = curator.post("/catalogs/team-agent/servers/team/", {"action": "save", "kept": ""})
    assert "a list without any would let none in" in listed.content.decode()
    assert team.servers.get().everything
    with pytest.raises(ValidationError, match="would let none in"):
        CatalogServer(catalog=team, server=team.servers.get().server, everything=False).clean()


def test_a_preview_says_what_goes_out_by_which_rule_and_saves_nothing(curator: Client, team: Catalog) -> None:
    asked = {"team-choice": "patterns", "team-patterns": "notify_*", "action": "preview"}
    part = curator.post("/catalogs/team-agent/servers/", asked, headers=HTMX).content.decode()
    assert "<html" not in part
    assert "<b>2</b> go out" in part
    assert "filter: team: notify_*" in part
    assert "team__getWeather" in part
    assert team.servers.get().everything
    whole = curator.post("/catalogs/team-agent/servers/", asked).content.decode()
    assert "<b>2</b> go out" in whole
    assert "notify_*" in whole
    assert team.servers.get().everything


def test_what_a_preview_tells_is_what_saving_brings(team: Catalog, stars: Server) -> None:
    server = team.servers.get().server
    rows = [
        CatalogServer(catalog=team, server=server, **filter_of("picked", ["getWeather", "gone_long_ago"])),
        CatalogServer(catalog=team, server=stars, **filter_of("patterns", ["a*", "b*"])),
    ]
    told = preview_filters(team, rows)
    place_server(team, server, "picked", ["getWeather", "gone_long_ago"])
    place_server(team, stars, "patterns", ["a*"])
    exposure = exposure_of(team)
    after = told.after
    assert (after.upfront, after.deferred, after.left_out) == (
        len(exposure.pool.upfront_names),
        len(exposure.pool.deferred),
        len(exposure.left_out),
    )
    assert {tool.upstream_name for tool in told.coming} == {"aa", "a?"}
    assert "notify_user" in {tool.upstream_name for tool in told.going_tools}
    assert told.unknown == ("team/gone_long_ago",)
    assert told.idle == ("stars/b*",)
    assert after.all_tokens > after.upfront_tokens > 0


def test_a_server_that_leaves_takes_its_tools_along(team: Catalog) -> None:
    told = preview_filters(team, [])
    assert len(told.gone_with_server) == 5
    assert (told.after.deferred, told.left_out) == (0, ())


def test_a_preview_that_cannot_be_made_names_the_server_and_says_why(curator: Client, team: Catalog) -> None:
    page = curator.post("/catalogs/team-agent/servers/", {"action": "preview", "team-choice": "patterns"}, headers=HTMX)
    assert "Team : Write at least one pattern, or choose another option." in said(page.content.decode())
    posted = {"team-choice": "patterns", "team-patterns": "x" * 301}
    page = curator.post("/catalogs/team-agent/servers/", posted)
    assert "…: it has 301 characters; 300 is the most" in page.content.decode()


def test_what_was_tried_and_not_saved_is_guarded(curator: Client, team: Catalog) -> None:
    for address, posted in (("", {"team-choice": "everything", "action": "preview"}), ("team/", {"action": "all"})):
        page = f"/catalogs/team-agent/servers/{address}"
        assert "data-draft" not in text_of(curator, page)
        assert " data-draft" in curator.post(page, posted).content.decode()


def test_servers_of_the_catalog_come_first_whatever_the_case_of_their_names(curator: Client, team: Catalog) -> None:
    for slug, title in (("zz", "Zebra"), ("aa", "aardvark"), ("bb", "Bee")):
        Server.objects.create(slug=slug, title=title, kind=Server.Kind.FILE)
    page = text_of(curator, "/catalogs/team-agent/servers/")
    assert re.findall(r'id="server-(\w+)"', page) == ["team", "aa", "bb", "zz"]


def test_ticks_are_kept_through_searches_until_they_are_saved(curator: Client, team: Catalog) -> None:
    address = "/catalogs/team-agent/servers/team/"
    found = curator.post(address, {"action": "find", "q": "weather", "selected": ["notify_user"]}).content.decode()
    assert ">notify_user</textarea>" in found
    assert "Pick getWeather" in found
    assert team.servers.get().everything
    send(curator, address, {"action": "save", "q": "weather", "kept": "notify_user", "selected": ["getWeather"]})
    assert team.servers.get().picked == ["getWeather", "notify_user"]


def test_all_that_a_search_finds_is_ticked_or_unticked_at_once(curator: Client, team: Catalog) -> None:
    address = "/catalogs/team-agent/servers/team/"
    page = curator.post(address, {"action": "all", "q": "notify", "kept": "getWeather"}).content.decode()
    assert "<b>3</b> picked" in page
    page = curator.post(address, {"action": "none", "q": "notify", "kept": "getWeather"}).content.decode()
    assert "<b>1</b> picked" in page


def test_a_catalog_tells_how_many_are_picked_by_hand(viewer: Client, team: Catalog) -> None:
    place_server(team, team.servers.get().server, "picked", ["getWeather"])
    assert "1 picked by hand" in text_of(viewer, "/catalogs/team-agent/")
