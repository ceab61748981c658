"""Shaping a catalog by keyboard and pointer, in a real browser."""

import pytest
from playwright.async_api import Page, expect

from catalog.models import Catalog, Tool
from catalog.shaping import show_upfront
from tests.conftest import Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
ROWS = "[data-reorder] [data-row] a.tool"
NAMES = ["team__notify_user", "team__getWeather", "team__list-invoices"]


@pytest.fixture
def three(served: Served, team: Catalog) -> Catalog:
    for name in ("getWeather", "list-invoices"):
        show_upfront(team, Tool.objects.get(name=name))
    return team


async def settle(page: Page) -> None:
    await page.wait_for_load_state("networkidle")
    await expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


async def test_a_row_moves_by_keyboard_and_keeps_the_focus(page: Page, three: Catalog) -> None:
    user, weather, invoices = NAMES
    await page.goto("/catalogs/team-agent/servers/")  # nothing is written there, so that nothing is asked on leaving
    await page.goto("/catalogs/team-agent/upfront/")
    await expect(page.locator(ROWS)).to_have_text(NAMES)
    down = page.get_by_role("button", name="Move notify_user down")
    await down.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(ROWS)).to_have_text([weather, user, invoices])
    await expect(down).to_be_focused()
    await settle(page)
    await page.keyboard.press("Alt+ArrowDown")
    await expect(page.locator(ROWS)).to_have_text([weather, invoices, user])
    await page.reload()
    await page.locator(ROWS).nth(2).focus()
    await page.keyboard.press("Alt+ArrowUp")
    await expect(page.locator(ROWS)).to_have_text([weather, user, invoices])
    await expect(page.locator(ROWS).nth(1)).to_be_focused()


async def test_a_row_is_dragged_to_its_place_and_put_back_by_escape(page: Page, three: Catalog) -> None:
    user, weather, invoices = NAMES
    await page.goto("/catalogs/team-agent/upfront/")
    await page.get_by_role("button", name="Drag list-invoices").hover()
    await page.mouse.down()
    first = await page.locator("[data-row]").first.bounding_box()
    assert first is not None
    await page.mouse.move(first["x"] + 40, first["y"] + 2, steps=4)
    await expect(page.locator(ROWS)).to_have_text([invoices, user, weather])
    await page.keyboard.press("Escape")
    await expect(page.locator(ROWS)).to_have_text(NAMES)
    await page.mouse.up()
    await page.get_by_role("button", name="Drag list-invoices").hover()
    await page.mouse.down()
    await page.mouse.move(first["x"] + 40, first["y"] + 2, steps=4)
    async with page.expect_response("**/upfront/place/"):
        await page.mouse.up()
    await expect(page.locator(ROWS)).to_have_text([invoices, user, weather])
    await page.reload()
    await expect(page.locator(ROWS)).to_have_text([invoices, user, weather])


async def test_a_change_of_filters_shows_at_once_what_it_would_do(page: Page, three: Catalog) -> None:
    await page.goto("/catalogs/team-agent/servers/")
    await page.get_by_text("By pattern").click()
    await page.locator("#id_team-patterns").fill("notify_*")
    await expect(page.locator("#preview")).to_contain_text("2 go out")
    await page.locator("#id_team-patterns").fill("")
    await expect(page.locator("#preview")).to_contain_text("Write at least one pattern")


async def test_ticks_stay_while_the_list_is_searched(page: Page, three: Catalog) -> None:
    await page.goto("/catalogs/team-agent/servers/team/")
    await page.get_by_label("Pick getWeather").check()
    await expect(page.locator("#preview")).to_contain_text("1 picked")
    await page.locator("#pick-query").press_sequentially("notify")
    await expect(page.get_by_label("Pick getWeather")).to_have_count(0)
    await page.get_by_label("Pick notify_user").check()
    await expect(page.locator("#preview")).to_contain_text("2 picked")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("#server-team textarea").nth(1)).to_have_value("getWeather\nnotify_user")
