"""A run with an agent in it, in a real browser: watched as it happens, read afterwards, and found among the runs."""

import re

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from catalog.models import Catalog
from playground.agent.chat_model import CallPiece, Finished, Piece
from playground.runs import assembling
from tests.looks import violations
from tests.playground.runs.doubles import ModelByTask, calls, says

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("demo_model"),
]
WEATHER = "What will the weather be in Madrid on 2027-01-18?"
SIZES = ((1440, 900), (390, 844))
TASK = f'Ask the trip desk: "{WEATHER}"'
CITIES = ("Madrid", "Lisbon")


async def start(page: Page) -> None:
    await page.goto("/playground/?catalog=assistant")
    await page.get_by_role("link", name="Handed to an agent").click()
    await page.get_by_label("Task", exact=True).press("Control+Enter")
    await page.wait_for_url(re.compile(r"/runs/[0-9a-f-]{36}/$"))


async def ended(page: Page) -> None:
    await expect(page.locator("#run-chat > .ending")).to_be_visible(timeout=60_000)


def wanted(city: str) -> str:
    return f'{{"city": "{city}", "date": "2027-01-18"}}'


def ask_before_reading(slug: str) -> None:
    catalog = Catalog.objects.get(slug=slug)
    catalog.mode, catalog.ask_person = "everything", ["read"]
    catalog.save()


async def test_the_agents_run_unfolds_in_its_call_while_it_happens(page: Page, sample: Catalog) -> None:
    await start(page)
    await page.evaluate("window.neverReloaded = true")
    nested = page.locator("#run-chat .nested")
    await expect(nested.get_by_text(WEATHER)).to_be_visible(timeout=60_000)
    await ended(page)
    await expect(nested.locator(".status")).to_have_text("completed", timeout=20_000)
    await expect(nested.locator(".step.loaded")).to_contain_text("weather__get_forecast")
    await expect(nested.locator(".ending")).to_be_visible()
    assert await page.evaluate("window.neverReloaded")
    ids = await page.evaluate("[...document.querySelectorAll('[id]')].map(part => part.id)")
    assert len(ids) == len(set(ids))


async def test_a_recorded_run_folds_what_is_nested_and_leads_to_it(page: Page, sample: Catalog) -> None:
    await start(page)
    await ended(page)
    await page.reload()
    nested = page.locator("#run-chat .nested")
    await expect(nested.get_by_text(WEATHER)).to_be_hidden()
    await nested.locator("> summary").click()
    await expect(nested.get_by_text(WEATHER)).to_be_visible()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    above = page.url
    await nested.get_by_role("link", name="Open this run by itself").click()
    await expect(page.get_by_role("link", name="nested in Ask the trip desk")).to_be_visible()
    await expect(page.get_by_role("link", name="agent Trip desk")).to_be_visible()
    await page.get_by_role("link", name="nested in Ask the trip desk").click()
    await expect(page).to_have_url(above)


async def test_why_in_a_nested_run_asks_the_nested_runs_catalog(page: Page, sample: Catalog) -> None:
    await start(page)
    await ended(page)
    await page.reload()
    await page.locator("#run-chat .nested > summary").click()
    await page.locator("#run-chat .nested").get_by_role("link", name="why?").first.click()
    await expect(page).to_have_url(re.compile(r"/search/\?catalog=trip-desk&q="))


async def test_nested_runs_are_listed_where_they_are_asked_for(page: Page, sample: Catalog) -> None:
    await start(page)
    await ended(page)
    await page.goto("/runs/")
    await expect(page.locator("#results tbody tr")).to_have_count(1)
    await page.get_by_text("More filters").click()
    await page.get_by_label("Nested").select_option("only")
    await expect(page.locator("#results tbody tr")).to_contain_text("nested in Ask the trip desk")
    await expect(page).to_have_url(re.compile("nested=only"))
    await page.get_by_label("Nested").select_option("all")
    await expect(page.locator("#results tbody tr")).to_have_count(2)


async def test_a_stopped_run_shows_that_its_agent_was_stopped(
    page: Page, sample: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = calls("agents__trip-desk", '{"task": "Slowly"}')
    slow = ModelByTask({TASK: [asked], "Slowly": [says("A word. ", *["More. "] * 400)]}, pace=0.2)
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: slow)
    await start(page)
    nested = page.locator("#run-chat .nested")
    await expect(nested.get_by_text("A word.")).to_be_visible(timeout=30_000)
    await expect(nested.locator(".status")).to_have_text("running")
    await page.get_by_role("button", name="Stop").click()
    await expect(page.locator("#run-summary .status")).to_have_text("stopped", timeout=20_000)
    await page.reload()
    await expect(nested.locator(".status")).to_have_text("stopped")


async def test_what_a_person_writes_in_a_held_call_outlasts_news_of_the_run_around_it(
    page: Page, sample: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sync_to_async(ask_before_reading)("trip-desk")
    asked = calls("agents__trip-desk", '{"task": "Both"}')
    cities = [CallPiece(place, city, "weather__get_forecast", wanted(city)) for place, city in enumerate(CITIES)]
    both: list[Piece] = [*cities, Finished("tool_calls", 100, 10)]
    planned = ModelByTask({TASK: [asked, says("Done.")], "Both": [both, says("Told.")]})
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: planned)
    await start(page)
    cards = page.locator(".nested .held-call")
    first, second = (cards.filter(has_text=city) for city in CITIES)
    await expect(cards.get_by_text("Approve")).to_have_count(2, timeout=30_000)
    await first.locator("summary", has_text="Refuse").click()
    await first.get_by_label("Why not").fill("It is too")
    await first.locator("summary", has_text="Edit").click()
    written = first.get_by_label("Arguments, as JSON")
    await written.fill(wanted("Porto"))
    await second.get_by_role("button", name="Approve").evaluate("button => button.click()")
    await expect(page.locator(".nested .step", has_text=CITIES[1])).to_contain_text("Answered", timeout=20_000)
    await expect(first.get_by_label("Why not")).to_have_value("It is too")
    await expect(written).to_be_focused()
    await written.press_sequentially(" ")
    await first.get_by_role("button", name="Send as edited").click()
    await ended(page)
    await expect(page.locator(".nested")).to_contain_text("Porto", timeout=20_000)
