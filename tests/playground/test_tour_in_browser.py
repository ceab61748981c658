"""The tour by keys: each stop comes in place, is an address, and keeps the keyboard where it was."""

import re

import pytest
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_tour_is_walked_by_keys(page: Page) -> None:
    await page.goto("/tour/?step=5")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("heading", name="A tool drops in")).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/tour/\?step=6$"))
    await expect(page.locator(".peg.arriving")).to_have_text(re.compile("weather__get_forecast"))
    await expect(page.locator("#announcer")).to_contain_text("A tool drops in")
    await page.get_by_role("link", name="Next").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="The call")).to_be_visible()
    await expect(page.get_by_role("link", name="Next")).to_be_focused()
    await expect(page.locator("#run-chat .here")).to_be_in_viewport()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("heading", name="A tool drops in")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="The call")).to_be_visible()
