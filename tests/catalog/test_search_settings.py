"""The settings of an engine on the search page: where each comes from, what stands in the address, keeping them."""

import re

import pytest
from django.http import QueryDict
from django.test import Client
from playwright.async_api import Page, expect

from catalog.asking import read_search
from catalog.forms.searching import SearchForm
from catalog.models import Catalog
from catalog.search import ENGINES
from tests.catalog.pages import text_of
from tests.catalog.test_search_page import PARTIAL, hit_names
from tests.forms import send


def read(catalog: Catalog, address: str) -> SearchForm:
    return read_search(catalog, QueryDict(address)).form


def note(page: str, setting: str) -> str:
    (found,) = re.findall(rf'id="setting-{setting}-note"[^>]*>(.*?)</p>', page, re.S)
    return " ".join(re.sub(r"<.*?>", " ", found).split())


@pytest.fixture
def mastra(team: Catalog) -> Catalog:
    """The small catalog, asking Mastra BM25 with a minimum score of 0.5."""
    Catalog.objects.filter(pk=team.pk).update(engine="mastra", engine_settings={"min_score": 0.5})
    team.refresh_from_db()
    return team


def test_a_setting_says_where_its_value_comes_from(viewer: Client, mastra: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=team-agent&q=channel&mastra.fidelity=implemented")
    assert note(page, "mastra-min_score") == "Kept by this catalog; the default is 0."
    assert note(page, "mastra-fidelity") == "Set in this address; the default is documented. Reset"
    other = text_of(viewer, "/search/?catalog=team-agent&q=channel&engine=bm25f")
    assert note(other, "bm25f-name") == "The engine’s default, from 0 to 10."


def test_the_address_sets_what_the_catalog_keeps(mastra: Catalog) -> None:
    assert read(mastra, "").asked.settings == ENGINES["mastra"].Settings(min_score=0.5)  # type: ignore[call-arg]
    assert read(mastra, "mastra.min_score=0").asked.settings == ENGINES["mastra"].Settings()


def test_an_address_names_only_settings_that_differ_from_what_holds_anyway(mastra: Catalog) -> None:
    same = "q=x&mastra.min_score=0.50&mastra.fidelity=documented&like.x=1"
    assert read(mastra, same).address.urlencode() == "q=x&like.x=1"
    other = "q=x&mastra.min_score=0"
    assert read(mastra, other).address.urlencode() == other


def test_a_full_page_moves_to_the_address_that_says_no_more(viewer: Client, mastra: Catalog) -> None:
    response = viewer.get("/search/?catalog=team-agent&q=channel&mastra.min_score=0.5")
    assert response.status_code == 302
    assert response["Location"] == "/search/?catalog=team-agent&q=channel"


def test_results_alone_say_what_the_address_becomes(viewer: Client, mastra: Catalog) -> None:
    query = {"catalog": "team-agent", "q": "channel", "mastra.min_score": "0.5"}
    typed = viewer.get("/search/", query, headers={**PARTIAL, "HX-Trigger": "search-query"})
    assert typed["HX-Replace-Url"] == "/search/?catalog=team-agent&q=channel"
    chosen = viewer.get("/search/", query, headers={**PARTIAL, "HX-Trigger": "setting-mastra-min_score"})
    assert chosen["HX-Push-Url"] == "/search/?catalog=team-agent&q=channel"


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("engine=bm25f&bm25f.name=-1", "Name: -1 is not from 0 to 10."),
        ("engine=mastra&mastra.min_score=much", "Minimum score: “much” is no number."),
        ("engine=mastra&mastra.colour=red", "There is no setting colour."),
        ("engine=bm25f&bm25f.name=11", "Name: 11 is not from 0 to 10."),
    ],
)
def test_what_cannot_be_is_said_kept_in_the_field_and_left_out(
    viewer: Client, team: Catalog, address: str, problem: str
) -> None:
    page = text_of(viewer, f"/search/?catalog=team-agent&q=channel&{address}")
    assert f"{problem} It was left out." in page
    assert hit_names(page)
    name, value = address.split("&")[1].split("=")
    if "colour" not in name:
        assert re.search(rf'name="{name}"[^>]* value="{value}"[^>]* aria-invalid="true"', page)


def test_settings_of_other_engines_are_carried(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=team-agent&q=channel&engine=like&mastra.min_score=0.5")
    assert '<input type="hidden" name="mastra.min_score" value="0.5">' in page


def test_choosing_an_engine_brings_its_settings(viewer: Client, team: Catalog) -> None:
    address = "/search/?catalog=team-agent&q=channel&engine=mastra"
    chosen = viewer.get(address, headers={**PARTIAL, "HX-Trigger": "search-engine-mastra"}).content.decode()
    assert 'name="mastra.min_score"' in chosen
    typed = viewer.get(address, headers={**PARTIAL, "HX-Trigger": "search-query"}).content.decode()
    assert 'name="mastra.min_score"' not in typed
    assert 'id="setting-mastra-min_score-note" hx-swap-oob="true"' in typed


def test_a_curator_keeps_an_engine_with_its_settings(curator: Client, team: Catalog) -> None:
    search = "catalog=team-agent&q=channel&engine=mastra&mastra.min_score=0.5"
    assert "Keep Mastra BM25 with these settings for this catalog" in text_of(curator, f"/search/?{search}")
    response = send(curator, "/search/?catalog=team-agent", {"search": search}, "/catalogs/team-agent/engine/")
    assert response["Location"] == "/search/?catalog=team-agent&q=channel&engine=mastra"
    team.refresh_from_db()
    assert (team.engine, team.engine_settings) == ("mastra", {"min_score": 0.5})
    page = text_of(curator, response["Location"])
    assert "Team agent now asks Mastra BM25 with minimum score 0.5, in runs too." in page
    assert "Team agent asks Mastra BM25 like this." in page


def test_keeping_an_engine_can_be_undone_once(curator: Client, mastra: Catalog) -> None:
    search = "catalog=team-agent&q=channel&engine=like"
    kept = send(curator, "/search/?catalog=team-agent", {"search": search}, "/catalogs/team-agent/engine/")
    assert 'action="/catalogs/team-agent/engine/undo/"' in text_of(curator, kept["Location"])
    curator.post("/catalogs/team-agent/engine/undo/")
    mastra.refresh_from_db()
    assert (mastra.engine, mastra.engine_settings) == ("mastra", {"min_score": 0.5})
    again = curator.post("/catalogs/team-agent/engine/undo/", follow=True).content.decode()
    assert "There is nothing to undo here" in again


def test_settings_that_cannot_be_are_not_kept(curator: Client, team: Catalog) -> None:
    search = "catalog=team-agent&q=channel&engine=bm25f&bm25f.name=-1"
    response = send(curator, "/search/?catalog=team-agent", {"search": search}, "/catalogs/team-agent/engine/")
    team.refresh_from_db()
    assert team.engine == ""
    assert response["Location"] == f"/search/?{search}"
    assert "Nothing was kept. Name: -1 is not from 0 to 10." in text_of(curator, response["Location"])


def test_another_engine_in_the_form_of_the_catalog_begins_with_its_defaults(curator: Client, mastra: Catalog) -> None:
    page = text_of(curator, "/catalogs/team-agent/edit/")
    assert "It asks Mastra BM25 with minimum score 0.5." in page
    send(curator, "/catalogs/team-agent/edit/", {"title": "Team agent", "slug": "team-agent", "engine": "mastra"})
    mastra.refresh_from_db()
    assert mastra.engine_settings == {"min_score": 0.5}
    send(curator, "/catalogs/team-agent/edit/", {"title": "Team agent", "slug": "team-agent", "engine": "like"})
    mastra.refresh_from_db()
    assert (mastra.engine, mastra.engine_settings) == ("like", {})


def test_the_page_of_a_catalog_names_its_engine(viewer: Client, mastra: Catalog) -> None:
    assert re.search(r"engine <b>Mastra BM25</b> 1 setting changed", text_of(viewer, "/catalogs/team-agent/"))


@pytest.mark.parametrize("slug", ENGINES)
def test_every_engine_can_be_chosen_once_and_tells_what_it_searches(viewer: Client, team: Catalog, slug: str) -> None:
    page = text_of(viewer, f"/search/?catalog=team-agent&engine={slug}")
    assert page.count(f'id="search-engine-{slug}"') == 1
    told = page[page.index('id="searched-title"') :]
    assert len(re.sub(r"<.*?>", "", told[: told.index("</section>")])) > 150


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_setting_is_live_and_can_be_reset(sample: Catalog, page: Page) -> None:
    await page.goto("/search/?catalog=office-agent&q=team+channel&engine=mastra")
    await page.locator("#engine-settings > summary").click()
    await page.get_by_label("Minimum score", exact=True).fill("0.9")
    await page.keyboard.press("Tab")
    await expect(page).to_have_url(re.compile(r"mastra\.min_score=0\.9$"))
    await expect(page.locator("#settings-count")).to_have_text("1 changed")
    await expect(page.locator(".cut").first).to_contain_text("minScore")
    await page.get_by_role("link", name="Reset Minimum score").click()
    await expect(page).not_to_have_url(re.compile("min_score"))
    await expect(page.locator("#setting-mastra-min_score")).to_have_value("0")
    await page.get_by_text("LIKE", exact=True).click()
    await page.locator("#engine-settings > summary").click()
    await expect(page.locator("#settings-body")).to_contain_text("LIKE has no settings")
