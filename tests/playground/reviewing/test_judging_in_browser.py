"""Judging by keyboard alone: a query, the next one, a tool that should have been there, and taking it back."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from catalog.models import Catalog, Judgement
from playground.models import Run
from playground.reviewing.wording import query_digest
from tests.conftest import Served
from tests.playground.reviewing.test_review_pages import runs as runs

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def said() -> set[tuple[str, str, str]]:
    return {(row.query.text, row.tool, row.verdict) for row in Judgement.objects.select_related("query")}


async def settle(page: Page) -> None:
    await page.wait_for_load_state("networkidle")
    await expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


async def test_a_pass_through_the_queue_needs_no_pointer(
    served: Served, team: Catalog, runs: list[Run], page: Page
) -> None:
    await page.goto("/review/?catalog=team-agent")
    heading = page.locator("#review-query h2")
    await expect(heading).to_have_text("rain")
    await page.keyboard.press("3")
    await expect(page.locator('[aria-pressed="true"]')).to_have_text("Wrong")
    await settle(page)
    await page.keyboard.press("j")
    await page.keyboard.press("1")
    await expect(page.locator('[aria-pressed="true"]').nth(1)).to_have_text("Right")
    await expect(page.locator(f"#queued-{query_digest('rain')}")).to_contain_text("right tool known")
    await page.keyboard.press("n")
    await expect(heading).to_have_text("moon")
    await settle(page)
    await page.keyboard.press("/")
    await page.keyboard.type("invoices")
    found = page.locator("#review-found .judged-hit")
    await expect(found).to_have_count(1)
    await page.keyboard.press("Tab")
    while not await page.evaluate('document.activeElement.matches("#review-found [data-verdict]")'):
        await page.keyboard.press("Tab")
    await page.keyboard.press("2")
    await expect(page.locator("#review-judging")).to_contain_text("list-invoices")
    wanted = {
        ("rain", "notify_user", "wrong"),
        ("rain", "getWeather", "right"),
        ("moon", "list-invoices", "fine"),
    }
    assert await asyncio.to_thread(said) == wanted
    await page.reload()
    await settle(page)
    await page.keyboard.press("u")
    await expect(page.locator(".messages")).to_contain_text("taken back")
    await settle(page)
    await page.keyboard.press("0")
    await expect(page.locator("#review-judging")).to_contain_text("You said that no tool here answers it")
    assert await asyncio.to_thread(said) == {*list(wanted)} - {("moon", "list-invoices", "fine")} | {
        ("moon", "", "no tool")
    }
