"""Engines side by side on the search page: columns of the address, what moved, what an engine could not run."""

import re

import pytest
from django.http import QueryDict
from django.test import Client
from playwright.async_api import Page, expect

from catalog.asking import read_search
from catalog.models import Catalog
from catalog.search import ENGINES
from tests.catalog.pages import text_of
from tests.catalog.test_search_page import PARTIAL

ADDRESS = "/search/?catalog=office-agent&q=tell+the+team+channel"


def columns(page: str) -> list[str]:
    return re.findall(r'<h3 id="lane-([\w-]+)">', page)


def lane_names(page: str, slug: str) -> list[str]:
    lane = page[page.index(f'<h3 id="lane-{slug}">') :]
    lane = lane[: lane.index("</section>")]
    return re.findall(r'<a class="tool clamp"[^>]* title="([^"]*)"', lane)


def test_columns_stand_in_the_order_of_the_address(viewer: Client, sample: Catalog) -> None:
    assert columns(text_of(viewer, f"{ADDRESS}&engines=mastra,pegboard,like")) == ["mastra", "pegboard", "like"]


def test_each_column_has_what_its_engine_returns_alone(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=mastra,eino-keyword&k=4")
    for slug in ("mastra", "eino-keyword"):
        search = read_search(sample, QueryDict(f"q=tell the team channel&engine={slug}&k=4"))
        ranking = search.ranking(search.form.asked)
        assert lane_names(page, slug) == [hit.tool.name for hit in ranking.hits] != []


def test_each_column_has_the_settings_of_its_engine(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=mastra,bm25f&mastra.min_score=0.99")
    assert len(lane_names(page, "mastra")) == 1
    assert len(lane_names(page, "bm25f")) == 5
    assert 'name="bm25f.name"' in page
    assert 'name="mastra.min_score"' in page


def test_checkboxes_and_the_view_become_one_address(viewer: Client, sample: Catalog) -> None:
    sent = f"{ADDRESS}&view=side&first=mastra&engines=pegboard&engines=mastra&engines=like"
    assert viewer.get(sent)["Location"] == f"{ADDRESS}&engines=mastra,pegboard,like"
    back = f"{ADDRESS}&view=one&first=mastra&engines=pegboard&engines=mastra"
    assert viewer.get(back)["Location"] == f"{ADDRESS}&engine=mastra"


def test_side_by_side_begins_with_the_engine_that_was_asked_and_another(viewer: Client, sample: Catalog) -> None:
    assert viewer.get(f"{ADDRESS}&view=side&engine=like")["Location"] == f"{ADDRESS}&engines=like,pegboard"
    assert viewer.get(f"{ADDRESS}&view=side")["Location"] == f"{ADDRESS}&engines=pegboard,mastra"


def test_what_is_no_engine_and_what_does_not_fit_is_said(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=pegboard,altavista,mastra", **PARTIAL)
    assert "altavista is no engine: its column was left out." in page
    assert columns(page) == ["pegboard", "mastra"]
    page = text_of(viewer, f"{ADDRESS}&engines={','.join(list(ENGINES)[:6])}", **PARTIAL)
    assert "At most 4 engines fit side by side: the first 4 were taken." in page
    assert columns(page) == list(ENGINES)[:4]


def test_a_full_comparison_lets_no_further_engine_be_ticked(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=pegboard,mastra,like,bm25f")
    assert re.search(r'value="mcpagent" disabled', page)
    assert re.search(r'value="like" checked', page)


def test_a_query_that_an_engine_cannot_run_is_a_problem_of_its_column(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=team-agent&q=channel(&engines=pegboard,mcpagent")
    assert "Cannot run this query." in page
    assert "invalid regex pattern: missing )" in page
    assert lane_names(page, "pegboard") == ["team__notify_channel"]
    assert lane_names(page, "mcpagent") == []


def test_an_engine_that_does_not_rank_says_so_and_has_no_bars(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=office-agent&q=channel&engines=mcpagent,eino-regex")
    assert page.count("; catalog order, not ranked") == 2
    assert 'class="stack"' not in page


def test_the_agreement_is_told_with_how_it_came_about(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=pegboard,bm25f&k=2")
    assert columns(page) == ["pegboard", "bm25f"]
    (steps, value) = re.findall(r'title="\((.*?)\) / 2">agreement <b class="num">([\d.]+)</b> of 1', page)[0]
    shares = [int(count) / int(depth) for count, depth in re.findall(r"(\d)/(\d)", steps)]
    assert float(value) == pytest.approx(sum(shares) / 2, abs=0.005)


def test_lines_join_the_rows_of_the_same_tool(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=pegboard,mastra")
    left, right = lane_names(page, "pegboard"), lane_names(page, "mastra")
    drawn = re.findall(r'd="M0 (\d+)\.5 C[^"]* 1 (\d+)\.5"', page)
    assert {(int(one), int(other)) for one, other in drawn} == {
        (left.index(name), right.index(name)) for name in left if name in right
    }
    assert drawn


def test_a_tool_is_explained_by_every_engine(viewer: Client, sample: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engines=pegboard,mastra,eino-keyword&why=chat__list_channels")
    told = page[page.index('id="explained"') :]
    heads = [" ".join(head.split()) for head in re.findall(r'<h3 id="explained-[\w-]+">(.*?)</h3>', told, re.S)]
    assert heads == ["Pegboard: 3rd", "Mastra BM25: not found", "Eino keyword: 6th, cut"]
    assert "The keyword “channel” is inside a part of its name" in told


def test_one_column_asks_for_another(viewer: Client, sample: Catalog) -> None:
    assert "Tick another engine to compare with Mastra BM25" in text_of(viewer, f"{ADDRESS}&engines=mastra")


def test_without_a_query_and_without_a_match_the_columns_say_so(viewer: Client, sample: Catalog) -> None:
    assert "Ask as an agent would" in text_of(viewer, "/search/?catalog=office-agent&engines=pegboard,mastra")
    page = text_of(viewer, "/search/?catalog=office-agent&q=zzqqxx&engines=pegboard,mastra")
    assert "No engine finds a tool" in page
    assert page.count("No tool matches.") == 2


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_columns_are_chosen_moved_and_taken_away(sample: Catalog, page: Page) -> None:
    await page.goto(ADDRESS)
    await page.get_by_text("Side by side", exact=True).click()
    await expect(page).to_have_url(re.compile("engines=pegboard,mastra"))
    await page.get_by_text("LIKE", exact=True).click()
    await expect(page).to_have_url(re.compile("engines=pegboard,mastra,like"))
    await expect(page.locator(".lane")).to_have_count(3)
    await page.locator(".lane").nth(1).get_by_text("compare with this").click()
    await expect(page.locator(".lane h3").first).to_have_text("Mastra BM25")
    await page.wait_for_load_state("networkidle")
    await page.locator(".lane-hit").first.hover()
    lit = page.locator(".lane-hit.is-lit")
    assert len(set(await lit.evaluate_all("found => found.map(one => one.dataset.term)"))) == 1
    await page.locator(".lane-hit a.tool").first.click()
    await expect(page.locator("#explained h3")).to_have_count(3)
    await page.get_by_label("Take LIKE away").click()
    await expect(page.locator(".lane")).to_have_count(2)
    await page.wait_for_load_state("networkidle")
    await page.get_by_text("One engine", exact=True).click()
    await expect(page).to_have_url(re.compile("engine=mastra"))
    await expect(page.locator("#hit-1")).to_be_visible()
