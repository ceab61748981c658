"""Slides in a real browser: a file without any network, and two windows that go along with each other."""

from datetime import timedelta
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.urls import reverse
from playwright.async_api import Browser, Page, expect

from catalog.redaction import Redactor
from playground.models import Run
from playground.presenting.deck import Shown, deck_of
from playground.presenting.one_file import one_file
from playground.presenting.sharing import share, take_back
from playground.runs.appending import Addition, append
from tests.conftest import Served
from tests.playground.runs.recordings import EVERY_KIND, recorded
from tests.playground.test_views_runs import run_with

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SHOWN = ".slide:not([hidden])"


async def test_a_file_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    path.write_text(one_file(deck_of(recorded(EVERY_KIND), Shown(), {})))
    context = await browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page = await context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if request.url != path.as_uri() else None)
    await page.goto(path.as_uri())
    await expect(page.locator(SHOWN)).to_contain_text("Weather in Oslo?")
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await expect(page.locator(SHOWN)).to_contain_text("Searched for")
    assert page.url.endswith("#at=8")
    await expect(page.locator(".peg:not([hidden])")).to_have_text(["files__list"])
    await page.keyboard.press("End")
    await expect(page.locator(".peg:not([hidden])")).to_have_text(["files__listdropped", "weather__getcalled"])
    await page.get_by_label("Moment of the run").fill("9")
    await page.locator(SHOWN).get_by_text("Answer", exact=True).click()
    await expect(page.locator(SHOWN).get_by_text("celsius")).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("[data-deck-place]")).to_have_text("8")
    await page.get_by_label("Speed").select_option("8")
    await page.get_by_role("button", name="Play").click()
    await expect(page.locator(SHOWN)).to_contain_text("Interrupted")
    await expect(page.get_by_role("button", name="Play")).to_be_visible()
    fits = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
    assert await page.evaluate(fits), "nothing is cut off at the size of a projector"
    await page.goto(path.as_uri() + "#at=13")
    await page.reload()
    await expect(page.locator(SHOWN)).to_contain_text("Loaded")
    assert faults == []
    await context.close()


async def test_slides_and_notes_go_along_and_a_note_is_kept(page: Page, served: Served) -> None:
    run: Run = await sync_to_async(run_with)(*EVERY_KIND[:10])
    await page.goto(reverse("run_present", args=[run.pk]))
    notes = await page.context.new_page()
    await notes.goto(reverse("run_notes", args=[run.pk]))
    await page.keyboard.press("PageDown")
    current = notes.locator("[data-notes-moment][aria-current]")
    await expect(current).to_contain_text("Turn 1")
    await notes.keyboard.press("ArrowRight")
    await expect(page.locator(SHOWN)).to_contain_text("The model said")
    await current.get_by_label("Note for the speaker").fill("Slowly.")
    await notes.keyboard.press("Control+Enter")
    await expect(current.get_by_text("Kept", exact=True)).to_be_visible()
    assert [note.text async for note in run.notes.all()] == ["Slowly."]
    await page.keyboard.press("End")
    addition = Addition(run.pk, [(event.at, event.event) for event in recorded(EVERY_KIND)[10:]], Redactor())
    await sync_to_async(append)(addition)
    await expect(page.locator(SHOWN)).to_contain_text("Interrupted", timeout=10_000)
    await page.keyboard.press("Escape")
    await expect(page.locator("#run-moment")).to_contain_text("moment 14 of 14")


async def test_a_page_behind_a_link_follows_its_run_and_closes_with_its_link(page: Page, served: Served) -> None:
    run: Run = await sync_to_async(run_with)(*EVERY_KIND[:5])
    token = await sync_to_async(share)(run, served.admin, timedelta(days=1), Shown())
    stranger = await page.context.browser.new_context()  # type: ignore[union-attr]
    shared = await stranger.new_page()
    await shared.goto(served.url + reverse("shared_run", args=[token]))
    await shared.keyboard.press("End")
    addition = Addition(run.pk, [(event.at, event.event) for event in recorded(EVERY_KIND)[5:8]], Redactor())
    await sync_to_async(append)(addition)
    await expect(shared.locator(SHOWN)).to_contain_text("Searched for", timeout=10_000)
    assert (await run.shares.aget()).visits == 1
    await sync_to_async(take_back)(await run.shares.select_related("run").aget())
    await expect(shared.locator("[data-deck]")).to_have_count(0, timeout=5_000)
    assert not await stranger.cookies()
    await stranger.close()
