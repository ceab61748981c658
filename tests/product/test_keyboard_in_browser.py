"""The whole workspace by keyboard alone: from a file of tools to an agent's catalog that finds them. No pointer is used."""

import json
import re

import pytest
from playwright.async_api import Locator, Page, expect

from catalog.models import Catalog

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
MOST_TABS = 90
LISTING = [
    {"name": "open_ticket", "description": "Opens a ticket for a fault.", "permission": "write"},
    {"name": "close_ticket", "description": "Closes a ticket that was dealt with.", "permission": "write"},
    {"name": "read_meter", "description": "Reads a meter.", "permission": "read"},
]
RING = """element => {
  const ringed = one => { const style = getComputedStyle(one); return style.outlineStyle !== "none" || style.boxShadow !== "none"; };
  const places = [element, element.closest("label"), element.closest(".search-field")].filter(Boolean);
  return element.matches(":focus-visible") && places.some(ringed);
}"""


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def settle(page: Page) -> None:
    await page.wait_for_load_state("networkidle")
    await expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


async def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Go there by Tab alone, from wherever the keyboard is; it must then be seen to be there."""
    await expect(wanted).to_be_visible()
    for _ in range(MOST_TABS):
        if await wanted.evaluate("element => element === document.activeElement"):
            assert await wanted.evaluate(RING), "the focus is not seen"
            return
        await page.keyboard.press(key)
    raise AssertionError(f"{MOST_TABS} times {key} do not lead to {wanted}")


async def choose(page: Page, wanted: Locator, key: str = "Tab") -> None:
    await tab_to(page, wanted, key)
    await page.keyboard.press("Enter")


async def go(page: Page, letter: str, title: str) -> None:
    await settle(page)
    await press(page, "g", letter)
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    await settle(page)


async def read_the_help(page: Page) -> None:
    """The skip link, and the help, which holds the keyboard until it is closed and gives it back."""
    await page.goto("/")
    await press(page, "Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await press(page, "Enter")
    await expect(page.locator("#main")).to_be_focused()
    servers = page.get_by_role("navigation", name="Main").get_by_role("link", name="Servers")
    await tab_to(page, servers, "Shift+Tab")
    await press(page, "?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    await expect(dialog).to_be_visible()
    for _ in range(3):
        await press(page, "Tab")
        inside = "() => document.querySelector('dialog[open]').contains(document.activeElement) || document.activeElement === document.body"
        assert await page.evaluate(inside)
    await press(page, "Escape")
    await expect(dialog).to_be_hidden()
    await expect(servers).to_be_focused()


async def import_tools(page: Page) -> None:
    await go(page, "v", "Servers")
    menu = page.locator("details[data-menu] > summary")
    await choose(page, menu)
    await choose(page, page.locator(".menu-list").get_by_role("link", name="From a file"))
    await tab_to(page, page.get_by_label("Title"))
    await page.keyboard.type("Works")
    await tab_to(page, page.get_by_label("Paste them here"))
    await page.keyboard.insert_text(json.dumps(LISTING))
    await choose(page, page.get_by_role("button", name="Upload and look at it"))
    await expect(page.get_by_role("button", name="Apply")).to_be_visible(timeout=20_000)
    await choose(page, page.get_by_role("button", name="Apply"))
    await expect(page.get_by_text(re.compile("^Applied"))).to_be_visible(timeout=20_000)


async def edit_a_tool(page: Page) -> None:
    """Narrowed by words and a facet, which keeps the keyboard; walked, opened, edited, put back."""
    await go(page, "t", "Tools")
    await press(page, "/")
    await page.keyboard.type("ticket")
    await expect(page.locator(".found-line")).to_be_visible()
    await settle(page)
    server = page.locator("#facet-server-works")
    await choose(page, server, "Shift+Tab")
    await expect(page.locator(".found-line")).to_contain_text("2 of")
    await settle(page)
    await expect(server).to_be_focused()
    await press(page, "j", "ArrowDown", "k", "Enter")
    await expect(page.locator("#detail article")).to_contain_text("Closes a ticket")
    await press(page, "e")
    await expect(page.get_by_label("Description", exact=True)).to_be_focused()
    await page.keyboard.type("Closes it for good.")
    await press(page, "Control+Enter")
    await expect(page.locator("#toasts")).to_contain_text("was saved")
    await expect(page.locator("#detail article")).to_contain_text("Closes it for good.")
    await settle(page)
    await press(page, "u")
    await expect(page.locator("#toasts")).to_contain_text("Undone")
    await settle(page)


async def edit_many(page: Page) -> None:
    await press(page, "Escape")
    await expect(page.locator("#detail article")).to_have_count(0)
    await settle(page)
    await press(page, "x", "j", "Shift+X")
    await expect(page.locator("[data-selection-count]")).to_have_text("2")
    await tab_to(page, page.locator("[data-asks]"))
    await page.keyboard.type("Add a tag")
    await press(page, "Tab")
    await page.keyboard.type("night-shift")
    await press(page, "Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Add a tag: night-shift")
    await settle(page)
    await press(page, "a")
    await expect(page.get_by_role("status").first).to_contain_text("applied")
    await settle(page)
    await press(page, "u")
    await expect(page.get_by_role("status").first).to_contain_text("undone")


async def shape_a_catalog(page: Page) -> None:
    await go(page, "c", "Catalogs")
    await press(page, "j", "j", "k")
    await expect(page.locator("[data-walk-stop]").first).to_be_focused()
    await tab_to(page, page.get_by_role("link", name="Office agent", exact=True))
    await press(page, "Enter")
    await choose(page, page.get_by_role("link", name="Choose", exact=True))
    await settle(page)
    await tab_to(page, page.locator('input[name="works-choice"]:checked'))
    await press(page, "ArrowRight")
    await expect(page.locator("#preview")).to_contain_text("3 come in")
    await settle(page)
    await choose(page, page.get_by_role("button", name="Save"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Office agent")
    await choose(page, page.get_by_role("link", name="Arrange"))
    await settle(page)
    rows = page.locator("[data-reorder] [data-row] a.tool")
    await expect(rows).to_have_count(2)
    first, second = [await row.inner_text() for row in await rows.all()]
    await tab_to(page, rows.first)
    await press(page, "Alt+ArrowDown")
    await expect(rows).to_have_text([second, first])
    await settle(page)
    await expect(rows.nth(1)).to_be_focused()


async def ask_why_not(page: Page) -> None:
    """The prompt that the catalog makes, a search, why a hit was found, and why a tool was not."""
    await choose(page, page.get_by_role("link", name="Mode and prompt"), "Shift+Tab")
    await expect(page.get_by_role("main")).to_contain_text("search_tools")
    await go(page, "s", "Search")
    await expect(page.get_by_label("Query")).to_be_focused()
    await page.keyboard.type("open a ticket")
    hit = page.get_by_role("link", name="works__open_ticket").first
    await expect(hit).to_be_visible()
    await settle(page)
    await press(page, "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    await expect(page.get_by_role("heading", name=re.compile("^Why .* is first"))).to_be_visible()
    await settle(page)
    await tab_to(page, page.get_by_label("A tool that should be here?"))
    await page.keyboard.type("works__read_meter")
    await press(page, "Enter")
    await expect(page.locator("#why-name")).to_have_value("works__read_meter")
    await expect(page.get_by_role("main")).to_contain_text("does not match it")


async def test_the_workspace_is_worked_in_by_keyboard_alone(page: Page, sample: Catalog) -> None:
    await read_the_help(page)
    await import_tools(page)
    await edit_a_tool(page)
    await edit_many(page)
    await shape_a_catalog(page)
    await ask_why_not(page)
