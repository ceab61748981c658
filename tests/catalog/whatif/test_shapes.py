"""What filters, exclusions, tools in view and another name would do: as an address holds them, and beside the forms that edit them."""

import re

import pytest
from django.test import Client

from catalog.forms.what_if import shape_address
from catalog.models import Catalog, Tool
from catalog.whatif.packing import UnfitDraftError, packed
from catalog.whatif.shapes import Shape, read_shape, shape_text, shaped
from tests.catalog.pages import said, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
USER = "team/notify_user"
ONE = Shape((("team", "picked", ("notify_channel",)),))


def names(catalog: Catalog, shape: Shape) -> set[str]:
    return {tool.upstream_name for tool in shaped(catalog, shape).pool}


@pytest.mark.parametrize("shape", [Shape(), ONE, Shape(()), Shape(shown=(USER,), hidden=("a/b",), excluded=("c/d",))])
def test_a_shape_is_the_same_after_its_way_through_an_address(shape: Shape) -> None:
    assert read_shape(shape_text(shape)) == shape


@pytest.mark.parametrize(
    "said", [[], {"filters": 1}, {"filters": [["team"]]}, {"filters": [["team", "all", []]]}, {"shown": "x"}]
)
def test_what_is_no_shape_is_told(said: object) -> None:
    with pytest.raises(UnfitDraftError):
        read_shape(packed(said))


def test_filters_exclusions_and_tools_in_view_are_those_that_saving_would_bring(team: Catalog) -> None:
    now = names(team, Shape())
    assert names(team, Shape((("team", "patterns", ("notify_*",)),))) & now >= {"notify_user", "notify_channel"}
    assert "getWeather" not in names(team, ONE)
    assert names(team, Shape(excluded=(USER,))) == now - {"notify_user"}
    assert names(team, Shape(shown=("team/getWeather",), hidden=(USER,))) == now
    upfront = shaped(team, Shape(shown=("team/getWeather",), hidden=(USER,))).pool.upfront_names
    assert ("team__getWeather" in upfront, "team__notify_user" in upfront) == (True, False)
    with pytest.raises(UnfitDraftError):
        shaped(team, Shape((("nowhere", "everything", ()),)))


def test_a_filter_that_is_filled_in_says_what_it_does_to_judged_queries(curator: Client, judged: Catalog) -> None:
    filled = {"team-choice": "picked", "team-picked": "notify_channel", "action": "preview"}
    page = curator.post("/catalogs/team-agent/servers/", filled, headers={"HX-Target": "preview", "HX-Request": "true"})
    assert "</b> picked" not in page.content.decode()
    address = re.search(r'hx-get="(/what-if/[^"]*)"', page.content.decode())
    assert address is not None
    headers = {"HX-Request": "true", "HX-Target": "what-if"}
    panel = said(curator.get(address[1].replace("&amp;", "&"), headers=headers).content.decode())
    assert "1 judged query gets worse" in panel
    assert "need no search 1 → 0 of 2" in panel


def test_a_tool_in_view_spares_searches_and_costs_tokens(viewer: Client, judged: Catalog) -> None:
    address = shape_address(judged, Shape(shown=("team/notify_channel",)))
    assert address is not None
    page = text_of(viewer, address.to())
    assert "need no search 1 → 2 of 2" in said(page)
    assert "Need no search any more 1" in said(page)
    assert "announce the release" in page


def test_another_name_is_tried_and_is_said_to_be_the_sources(viewer: Client, judged: Catalog) -> None:
    address = "/what-if/?catalog=team-agent&tool=team/notify_channel&name=announce_release"
    told = said(text_of(viewer, address))
    assert "Pegboard cannot rename it" in told
    assert "1 judged query gets better" in told
    assert Tool.objects.filter(name="announce_release").count() == 0


def test_a_name_that_another_tool_has_takes_the_tool_out(viewer: Client, judged: Catalog) -> None:
    address = "/what-if/?catalog=team-agent&tool=team/notify_user&name=notify_channel&show=worse"
    assert "direct message to a person judged nDCG@10 −1" in said(text_of(viewer, address))
