"""A thread in a real browser, with the demo model: a person goes on, forks a turn, and edits a message."""

import re

import pytest
from playwright.async_api import Page, expect

from catalog.models import Catalog
from playground.models import Run

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("demo_model"),
]
A_RUN = re.compile(r"/runs/[0-9a-f-]{36}/$")
OSLO = "What is the weather in Oslo on 2026-12-14?"


async def ended(page: Page) -> None:
    await expect(page.locator("#run-chat .ending")).to_contain_text("Completed", timeout=60_000)


async def a_run(page: Page) -> None:
    await page.goto("/playground/?catalog=office-agent")
    await page.get_by_label("Task", exact=True).fill(OSLO)
    await page.get_by_label("Task", exact=True).press("Control+Enter")
    await page.wait_for_url(A_RUN)
    await ended(page)


async def test_a_person_goes_on_where_the_run_was_watched(page: Page, sample: Catalog) -> None:
    await a_run(page)
    first = page.url
    await page.get_by_label("Message", exact=True).fill("And in Bergen?")
    await page.get_by_label("Message", exact=True).press("Control+Enter")
    await page.wait_for_url(lambda url: url != first)
    await ended(page)
    await expect(page.locator("#run-chat")).to_contain_text("Goes on from 8 earlier messages")
    await expect(page.locator("#run-chat .step.search")).to_have_count(0)
    await expect(page.get_by_role("heading", name="Earlier in the thread 1")).to_be_visible()
    await page.locator(".earlier > summary").click()
    await expect(page.locator(".earlier-list > li")).to_have_count(8)
    await page.get_by_role("link", name="message 2 of 2").click()
    await expect(page.get_by_role("heading", name="Message 2")).to_be_in_viewport()
    await expect(page.locator(".thread-part")).to_have_count(2)


async def test_a_turn_is_forked_under_another_mode(page: Page, sample: Catalog) -> None:
    await a_run(page)
    await page.locator("#run-chat .turn-mark").first.get_by_role("link", name="Fork").click()
    await page.get_by_label("Mode", exact=True).select_option("eino")
    await page.get_by_role("button", name="Start the fork").click()
    await page.wait_for_url(A_RUN)
    await ended(page)
    await expect(page.locator("#run-about")).to_contain_text("mode eino")
    await expect(page.locator("#run-chat .step.search")).not_to_have_count(0)
    run = await Run.objects.select_related("thread").aget(mode="eino")
    await page.goto(run.thread.get_absolute_url())
    await page.get_by_role("link", name=OSLO).click()
    await expect(page.get_by_text("before turn 1 of message 1")).to_be_visible()


async def test_a_message_is_edited_and_sent_again(page: Page, sample: Catalog) -> None:
    await a_run(page)
    await page.locator("#run-chat .say.user").get_by_role("link", name="Edit").click()
    await expect(page.get_by_label("Message", exact=True)).to_have_value(OSLO)
    await page.get_by_label("Message", exact=True).fill("Find a room for eight in Berlin on 2026-12-03.")
    await page.get_by_role("button", name="Start the fork").click()
    await page.wait_for_url(A_RUN)
    await ended(page)
    await expect(page.locator("#run-chat")).to_contain_text("calendar__find_rooms")
    assert await Run.objects.filter(position=1).acount() == 2
