"""The tools page in a real browser, by keys alone: find, open, edit, save, undo, select, edit many."""

import re

import pytest
from playwright.async_api import Dialog, Page, expect

from catalog.models import Catalog

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_a_tool_is_found_edited_and_put_back_by_keys_alone(page: Page, sample: Catalog) -> None:
    await page.goto("/tools/")
    await press(page, "/")
    await page.keyboard.type("claim")
    await expect(page.locator(".found-line")).to_contain_text("8 of")
    await press(page, "Escape", "j", "ArrowDown", "k", "Enter")
    opened = page.locator("#detail article")
    await expect(opened).to_be_visible()
    name = await page.locator("[data-tool][aria-current]").inner_text()
    await expect(page).to_have_url(re.compile(f"tool=expenses/{name}"))
    await press(page, "e")
    field = page.get_by_label("Description", exact=True)
    await expect(field).to_be_focused()
    await page.keyboard.type("Approve what somebody spent.")
    await expect(page.locator("#overlay-preview")).to_contain_text("as saved")
    await expect(page.locator("#detail [data-unsaved-note]")).to_be_visible()
    await press(page, "Control+Enter")
    await expect(page.locator("#toasts")).to_contain_text("was saved")
    await expect(opened).to_contain_text("Approve what somebody spent.")
    await expect(page.locator("tr:has([aria-current])")).to_contain_text("edited")
    await press(page, "u")
    await expect(page.locator("#toasts")).to_contain_text("Undone")
    await expect(page.locator("tr:has([aria-current])")).not_to_contain_text("edited")
    await press(page, "Escape")
    await expect(opened).to_have_count(0)


async def test_many_tools_are_edited_and_put_back_by_keys_alone(page: Page, sample: Catalog) -> None:
    await page.goto("/tools/?server=expenses")
    await expect(page.locator("[data-selection-bar]")).to_be_hidden()
    await press(page, "j", "x", "j", "j", "Shift+X")
    await expect(page.locator("[data-selection-count]")).to_have_text("3")
    await press(page, "/")
    await page.keyboard.type("approve_claim")
    await expect(page.locator("[data-selection-elsewhere]")).to_contain_text("2 of them not in sight")
    await page.get_by_role("link", name="Clear all").click()
    await expect(page.locator("[data-search-field]")).to_have_value("")
    await press(page, "f")
    await page.keyboard.type("expen")
    await expect(page.locator("#server-links li")).to_have_count(1)
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("#facet-server-expenses")).to_be_focused()
    await page.locator("[data-asks]").focus()
    await page.keyboard.type("Add a tag")
    await page.keyboard.press("Tab")
    await page.keyboard.type("petty-cash")
    await press(page, "Tab", "Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Add a tag: petty-cash")
    await page.wait_for_load_state("networkidle")
    await page.go_back()
    await expect(page.locator("[data-selection-count]")).to_have_text("3")
    await page.go_forward()
    await press(page, "a")
    await expect(page.get_by_role("status").first).to_contain_text("applied")
    await page.goto("/tools/?tag=petty-cash")
    await expect(page.locator(".found-line")).to_contain_text("3 of")
    await page.go_back()
    await press(page, "u")
    await expect(page.get_by_role("status").first).to_contain_text("undone")


async def test_what_is_not_saved_is_asked_about_before_it_goes(page: Page, sample: Catalog) -> None:
    asked: list[str] = []

    async def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await dialog.dismiss()

    await page.goto("/tools/?server=expenses&tool=expenses/submit_claim")
    await page.get_by_role("link", name="Edit", exact=True).click()
    await page.get_by_label("Description", exact=True).fill("Half a sentence")
    page.on("dialog", stay)
    await page.locator("[data-walk-stop]").first.click()
    await expect(page.get_by_label("Description", exact=True)).to_have_value("Half a sentence")
    await page.evaluate("history.back()")
    await expect(page).to_have_url(re.compile("edit=1"))
    await expect(page.get_by_label("Description", exact=True)).to_have_value("Half a sentence")
    assert asked == ["What you wrote is not saved yet. Leave it?"] * 2
    page.remove_listener("dialog", stay)
    page.on("dialog", lambda dialog: dialog.accept())
    await page.locator("[data-walk-stop]").first.click()
    await expect(page.get_by_label("Description", exact=True)).to_have_count(0)


async def test_filters_are_a_drawer_on_a_phone_and_the_tool_a_page(page: Page, sample: Catalog) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto("/tools/?server=expenses")
    await expect(page.locator("#facet-rail")).to_be_hidden()
    await page.get_by_role("button", name="Filters").click()
    await page.locator("#facet-rail").get_by_role("link", name="write").click()
    await expect(page.locator(".found-line")).to_contain_text("write")
    await press(page, "Escape")
    await page.locator("[data-walk-stop]").first.click()
    await expect(page.locator("#detail article")).to_be_visible()
    await expect(page.locator("#results")).to_be_hidden()
    await page.get_by_label("Close the tool").click()
    await expect(page.locator("#results")).to_be_visible()
