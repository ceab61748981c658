"""Arranging what a catalog shows from the start and what it excludes."""

import pytest
from django.test import Client

from catalog.exposure import Exposure
from catalog.indexing import exposure_of
from catalog.models import Catalog, Server, Tool
from catalog.prompt_size import estimate_tool
from catalog.shaping import exclude, move_to, place_server, show_upfront
from catalog.upfront import found_in, upfront_of
from tests.catalog.pages import text_of
from tests.forms import send


@pytest.fixture
def three(team: Catalog) -> Catalog:
    for name in ("getWeather", "list-invoices"):
        show_upfront(team, Tool.objects.get(name=name))
    return team


def order_of(catalog: Catalog) -> list[str]:
    return [row.tool.name for row in catalog.pre_discovered.all()]


def exposed(catalog: Catalog) -> Exposure:
    return exposure_of(catalog)


@pytest.mark.parametrize(
    ("place", "order"),
    [
        (0, ["list-invoices", "notify_user", "getWeather"]),
        (1, ["notify_user", "list-invoices", "getWeather"]),
        (99, ["notify_user", "getWeather", "list-invoices"]),
    ],
)
def test_a_tool_is_moved_to_a_place(curator: Client, three: Catalog, place: int, order: list[str]) -> None:
    send(
        curator,
        "/catalogs/team-agent/upfront/",
        {"tool": "team/list-invoices", "place": place},
        "/catalogs/team-agent/upfront/place/",
    )
    assert order_of(three) == order


@pytest.mark.parametrize("place", ["", "-1", "one", "1" * 20, "²"])
def test_a_place_that_is_none_changes_nothing(curator: Client, three: Catalog, place: str) -> None:
    asked = {"tool": "team/list-invoices", "place": place}
    assert curator.post("/catalogs/team-agent/upfront/place/", asked).status_code == 400
    assert order_of(three) == ["notify_user", "getWeather", "list-invoices"]


def test_moving_a_tool_that_is_not_in_view_changes_nothing(three: Catalog) -> None:
    move_to(three, Tool.objects.get(name="notify_channel"), 0)
    assert order_of(three) == ["notify_user", "getWeather", "list-invoices"]


def test_each_tool_has_its_price_and_all_have_their_sum(three: Catalog) -> None:
    upfront = upfront_of(three, exposed(three))
    prices = [row.tokens for row in upfront.chosen] + [tokens for _, tokens in upfront.special]
    assert upfront.tokens == sum(prices)
    assert upfront.chosen[0].tokens == estimate_tool(Tool.objects.get(name="notify_user").to_spec())
    assert upfront.all_tokens > upfront.tokens
    assert [spec.upstream_name for spec, _ in upfront.special] == ["ask_human"]


def test_a_tool_that_the_filter_leaves_out_says_so(three: Catalog) -> None:
    place_server(three, Server.objects.get(), "patterns", ["notify_*"])
    rows = {row.tool.name: row for row in upfront_of(three, exposed(three)).chosen}
    assert (rows["getWeather"].state, rows["getWeather"].reason) == ("left out", "filter: team: notify_*")
    assert rows["notify_user"].state == "from the start"


def test_tools_to_add_are_found_by_words_with_where_they_stand(team: Catalog) -> None:
    exclude(team, Tool.objects.get(name="getWeather"))
    states = {row.tool.name: row.state for row in found_in(team, exposed(team), "a")}
    assert states == {
        "ask_human": "always in view",
        "notify_user": "from the start",
        "notify_channel": "discoverable",
        "getWeather": "excluded",
        "list-invoices": "discoverable",
    }
    assert found_in(team, exposed(team), " ") == ()


def test_an_act_comes_back_to_the_search_it_was_made_from(curator: Client, team: Catalog) -> None:
    back = "/catalogs/team-agent/upfront/?add=weather"
    asked = {"action": "show", "tool": "team/getWeather", "next": back}
    assert curator.post("/catalogs/team-agent/tool/", asked).headers["Location"] == back
    assert "Hide until found: getWeather" in text_of(curator, back)


def test_a_viewer_reads_prices_and_changes_nothing(viewer: Client, three: Catalog) -> None:
    page = text_of(viewer, "/catalogs/team-agent/upfront/?add=weather")
    assert "tokens each turn" in page
    assert "<form" not in page.partition('id="main"')[2].partition("</main>")[0]
