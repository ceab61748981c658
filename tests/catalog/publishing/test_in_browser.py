"""From an edit to a published version, and back, in a real browser."""

import pytest
from playwright.async_api import Page, expect

from catalog.models import Catalog
from tests.conftest import Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_an_edit_waits_is_reviewed_published_and_rolled_back(page: Page, served: Served, team: Catalog) -> None:
    await page.goto("/catalogs/team-agent/")
    bar = page.locator(".draft-bar")
    await page.get_by_role("button", name="Gather changes in a draft").click()
    await expect(bar).to_contain_text("As published: agents get version 1")
    await page.goto("/tools/team/getWeather/edit/")
    await page.locator("[name=own_description]").fill("Current weather in a town.")
    await page.get_by_role("button", name="Save").first.click()
    await page.goto("/catalogs/team-agent/")
    await expect(bar).to_contain_text("1 change is not published")
    await page.get_by_role("link", name="Review and publish").click()
    await expect(page.locator("ins")).to_have_text("town")
    await page.get_by_label("Note").fill("Towns too")
    await page.get_by_role("button", name="Publish as version 2").click()
    await expect(page.get_by_role("heading", name="Version 2", exact=True)).to_be_visible()
    await page.goto("/catalogs/team-agent/versions/1/")
    await page.get_by_role("link", name="Roll back to this").click()
    await expect(page.locator("ins")).to_have_text("city")
    await page.get_by_role("button", name="Publish as version 3").click()
    await expect(page.get_by_role("heading", name="Version 3", exact=True)).to_be_visible()
    await page.goto("/catalogs/team-agent/")
    await expect(bar).to_contain_text("1 change is not published")
