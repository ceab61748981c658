"""The tools page as a list: its rails, its addresses, its price, and the views that people save."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from catalog.models import Catalog, SavedView, Server, Tool
from catalog.token_counts import uncounted
from catalog.tool_lists import TOOLS_A_PAGE, _servers_from
from tests.catalog.pages import text_of

MOST_QUERIES = 17
MORE_THAN_OF_NONE = 3
"""Questions that a page with rows asks and an empty one does not."""
IN_PLACE = {"HX-Request": "true", "HX-Target": "results"}
BESIDE = {"HX-Request": "true", "HX-Target": "detail"}


def add_tools(number: int) -> None:
    server = Server.objects.create(slug="many", title="Many", kind=Server.Kind.FILE)
    said: dict[str, Any] = {"parameters": {"type": "object"}, "last_seen_at": timezone.now()}
    tools = (
        Tool(server=server, name=f"tool_{place:05}", description=f"Does {place}.", tags=[f"t{place % 9}"], **said)
        for place in range(number)
    )
    Tool.objects.bulk_create(tools, batch_size=1000)


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        text_of(client, address)
    return len(queries)


@pytest.mark.parametrize("address", ["/tools/", "/tools/?q=Does&state=unused&tag=t1", "/tools/?tool=team/notify_user"])
def test_ten_thousand_tools_cost_no_more_questions_than_five(viewer: Client, team: Catalog, address: str) -> None:
    few = queries_of(viewer, address)
    add_tools(10_000)
    assert queries_of(viewer, address) <= few + MORE_THAN_OF_NONE <= MOST_QUERIES
    page = text_of(viewer, "/tools/")
    assert "1–50 of 10,005 tools" in page
    assert "10,000/10,000" in page


def test_the_rails_say_what_each_choice_would_leave(viewer: Client, team: Catalog) -> None:
    Tool.objects.filter(name="getWeather").update(enabled=False)
    page = text_of(viewer, "/tools/?category=weather", **IN_PLACE)
    assert "1 of 5 tools" in page
    assert "0/1" in page
    assert 'href="?category=weather&amp;state=off"' in page
    assert "getWeather" in page
    assert "notify_user" not in page
    assert 'id="facet-rail" hx-swap-oob="true"' in page


def test_what_nobody_says_can_be_asked_for(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/tools/?category=-&tag=-", **IN_PLACE)
    assert "no category" in page
    assert "notify_channel" in page
    assert "getWeather" not in page


def test_the_tool_that_is_open_is_part_of_the_address(viewer: Client, curator: Client, team: Catalog) -> None:
    whole = text_of(viewer, "/tools/?q=notify&tool=team/notify_user&edit=1")
    assert "What a model reads" in whole
    assert "began_from" not in whole
    beside = text_of(curator, "/tools/?q=notify&tool=team/notify_user&edit=1", **BESIDE)
    assert "<html" not in beside
    assert 'name="list" value="q=notify"' in beside
    assert "There is no tool of this name" in text_of(viewer, "/tools/?tool=team/nothing", **BESIDE)


def test_what_is_chosen_stays_in_sight_where_nothing_is_left_of_it(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/tools/?server=team&category=-&q=nothing+has+this", **IN_PLACE)
    assert 'aria-label="Remove the filter team"' in page
    assert 'aria-label="Remove the filter no category"' in page
    assert "0/0" in page


def test_a_list_with_tools_that_are_gone_is_told_of_as_many_as_there_are(viewer: Client, team: Catalog) -> None:
    Tool.objects.filter(name="getWeather").update(gone_at=timezone.now())
    assert "1 of 5 tools, those that are gone among them" in text_of(viewer, "/tools/?state=gone", **IN_PLACE)
    assert "1 of 4 tools<" in text_of(viewer, "/tools/?q=invoices", **IN_PLACE)


def test_the_words_that_servers_are_found_by_find_categories_and_tags(viewer: Client, team: Catalog) -> None:
    server = Server.objects.get(slug="team")
    for place in range(80):
        Tool.objects.create(server=server, name=f"t{place}", tags=[f"tag-{place:02}"], last_seen_at=timezone.now())
    page = text_of(viewer, "/tools/", **IN_PLACE)
    assert "facet-tag-tag-77" not in page
    assert "more: type a part of a name" in page
    page = text_of(viewer, "/tools/?find=G-77&category=weather", **IN_PLACE)
    assert "facet-server-team" not in page
    assert "facet-category-weather" in page
    assert "facet-tag-tag-77" not in page
    assert "facet-tag-tag-77" in text_of(viewer, "/tools/?find=G-77", **IN_PLACE)


@pytest.mark.parametrize("words", ["kumquat", "发票夹", "KUMQ"])
def test_words_are_found_in_aliases(viewer: Client, team: Catalog, words: str) -> None:
    Tool.objects.filter(name="getWeather").update(aliases=["kumquat", "发票夹"])
    assert "1 of 5 tools" in text_of(viewer, f"/tools/?q={words}", **IN_PLACE)


def test_the_list_is_sorted_by_what_tools_cost(viewer: Client, team: Catalog) -> None:
    Tool.objects.filter(name="ask_human").update(description="Ask. " * 200)
    page = text_of(viewer, "/tools/?sort=-tokens")
    assert page.index(">ask_human<") < page.index(">getWeather<")
    assert not uncounted().exists()
    Tool.objects.get(name="ask_human").save()
    assert uncounted().get().name == "ask_human"


def test_what_a_tool_costs_is_told_as_its_row_keeps_it_while_that_is_right(viewer: Client, team: Catalog) -> None:
    kept = Tool.objects.filter(name="ask_human")
    kept.update(tokens=98_765, tokens_counted_at=timezone.now())
    assert "98,765" in text_of(viewer, "/tools/")
    kept.get().save()
    assert "98,765" not in text_of(viewer, "/tools/")


def test_long_names_and_hostile_ones_can_be_opened(viewer: Client, team: Catalog) -> None:
    name = "a/b?c=d&e#f" + "\u202e" + "长" * 80
    server = Server.objects.get(slug="team")
    Tool.objects.create(server=server, name=name, last_seen_at=timezone.now())
    page = text_of(viewer, "/tools/?q=" + "长" * 80)
    address = page.split('<th scope="row"><a class="tool" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "长" * 80 in text_of(viewer, address, **BESIDE)


def test_a_view_is_kept_for_the_person_who_saved_it(viewer: Client, curator: Client, team: Catalog) -> None:
    viewer.post("/tools/views/", {"name": "Off", "query": "state=off&sort=name"})
    viewer.post("/tools/views/", {"name": "Off", "query": "state=off"})
    assert 'href="/tools/?state=off"' in text_of(viewer, "/tools/")
    assert "No view saved yet" in text_of(curator, "/tools/")
    view = SavedView.objects.get()
    assert curator.post(f"/tools/views/{view.pk}/delete/").status_code == 404
    viewer.post(f"/tools/views/{view.pk}/delete/")
    assert not SavedView.objects.exists()
    assert User.objects.count() == 2


@given(st.lists(st.integers(1, 120), max_size=12), st.integers(0, 8))
def test_the_servers_of_a_page_are_those_whose_tools_are_on_it(totals: list[int], page: int) -> None:
    servers = [(f"s{place}", total) for place, total in enumerate(totals)]
    tools = [(slug, number) for slug, total in servers for number in range(total)]
    first = page * TOOLS_A_PAGE
    slugs, begin = _servers_from(servers, first)
    of_them = [tool for tool in tools if tool[0] in slugs]
    assert of_them[begin : begin + TOOLS_A_PAGE] == tools[first : first + TOOLS_A_PAGE]
    assert {slug for slug, _ in tools[first : first + TOOLS_A_PAGE]} == set(slugs)


@pytest.mark.parametrize("narrowed", ["", "&tag=t1", "&q=Does", "&server=many-b", "&state=gone"])
def test_the_pages_together_are_the_list_by_server_and_name(team: Catalog, viewer: Client, narrowed: str) -> None:
    for slug, number in (("many-b", 130), ("many-a", 60), ("few", 3)):
        add_tools(number)
        Server.objects.filter(slug="many").update(slug=slug)
    Tool.objects.filter(name__endswith="7").update(gone_at=timezone.now())
    first = viewer.get(f"/tools/?{narrowed}").context["page"]
    pages = [viewer.get(f"/tools/?page={page}{narrowed}").context["page"] for page in first.paginator.page_range]
    shown = [(tool.server.slug, tool.name) for page in pages for tool in page]
    assert shown == sorted(shown)
    assert len(set(shown)) == len(shown) == first.paginator.count > 0
    assert all(len(page) == TOOLS_A_PAGE for page in pages[:-1])
