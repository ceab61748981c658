"""The playground in a real browser, with the demo model: started, watched, replayed and stopped by a person."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, expect

from catalog.models import Catalog
from playground.runs import assembling
from tests.conftest import Served
from tests.looks import violations
from tests.playground.runs.doubles import PlannedModel, calls, says

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("demo_model"),
]
FORECAST = "Forecast, then tell the team"
FOUND = ["weather__get_forecast", "chat__notify_channel"]
SIZES = ((1440, 900), (390, 844))


async def start(page: Page, title: str = FORECAST) -> None:
    await page.goto("/playground/?catalog=office-agent")
    await page.get_by_role("link", name=title).click()
    await page.get_by_label("Task", exact=True).press("Control+Enter")
    await page.wait_for_url(re.compile(r"/runs/[0-9a-f-]{36}/$"))


async def ended(page: Page) -> None:
    await expect(page.locator("#run-chat .ending")).to_be_visible(timeout=60_000)


async def told(page: Page) -> tuple[list[str], list[str]]:
    """The steps, and the pegs with what is said of them."""
    steps = await page.locator("#run-chat > li").all_inner_texts()
    pegs = await page.locator("#run-board [data-peg]").all_inner_texts()
    return [" ".join(step.split()) for step in steps], [" ".join(peg.split()) for peg in pegs]


def peg(page: Page, name: str) -> Locator:
    return page.locator(f'#run-board [data-peg="{name}"]')


async def a_recorded_run(page: Page) -> None:
    await start(page)
    await ended(page)
    await page.reload()


async def test_pegs_arrive_while_a_person_watches(page: Page, sample: Catalog) -> None:
    await start(page)
    await page.evaluate("window.neverReloaded = true")
    for name in FOUND:
        await expect(peg(page, name)).to_be_visible(timeout=60_000)
        await expect(peg(page, name)).to_contain_text("called", timeout=60_000)
    await ended(page)
    assert await page.evaluate("window.neverReloaded")
    await expect(page.locator("#run-summary")).to_contain_text("completed")
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    await expect(page.get_by_role("link", name="Replay from the start")).to_be_visible()
    await expect(page.locator("#run-holes .hole")).to_have_count(147)
    await expect(page.locator("#run-holes .hole:is(.in, .new)")).to_have_count(6)
    await expect(page.get_by_role("heading", name="Turn 1 · search forecast")).to_be_visible()


async def test_a_late_watcher_and_a_reload_see_the_same(page: Page, sample: Catalog) -> None:
    await start(page)
    await expect(peg(page, FOUND[0])).to_be_visible(timeout=60_000)
    late = await page.context.new_page()
    await late.goto(page.url)
    await expect(peg(late, FOUND[0])).to_be_visible()
    await ended(page)
    await ended(late)
    assert await told(late) == await told(page)
    await late.reload()
    assert await told(late) == await told(page)


async def test_what_a_reader_opened_stays_open_and_nothing_else_opens(page: Page, sample: Catalog) -> None:
    await start(page)
    await page.locator("#run-chat .search summary").first.click(timeout=60_000)
    await ended(page)
    await expect(page.locator("#run-chat details[open]")).to_have_count(1)
    await expect(page.locator("#run-chat details[open]")).to_contain_text("loaded")


async def test_a_search_links_to_why_and_a_peg_to_its_tool(page: Page, sample: Catalog) -> None:
    await a_recorded_run(page)
    await page.get_by_role("link", name="why?").first.click()
    await expect(page).to_have_url(re.compile(r"/search/\?catalog=office-agent&q=forecast"))
    await page.go_back()
    await peg(page, FOUND[0]).get_by_role("link").hover()
    await expect(page.locator("#peg-card")).to_contain_text("tokens a turn")
    await page.locator("#peg-card").get_by_role("link", name="Open the tool").click()
    await expect(page).to_have_url(re.compile("/tools/weather/get_forecast/"))


async def test_a_replay_is_stepped_and_scrubbed_by_keys_and_its_address_follows(page: Page, sample: Catalog) -> None:
    await a_recorded_run(page)
    whole = await told(page)
    await page.get_by_role("link", name="Replay from the start").click()
    await expect(page.locator("#run-moment")).to_contain_text("moment 1 of")
    await expect(peg(page, FOUND[0])).to_have_count(0)
    await page.wait_for_load_state()
    await page.evaluate("window.neverReloaded = true")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#run-moment")).to_contain_text("moment 2 of")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#run-moment")).to_contain_text("moment 1 of")
    slider = page.get_by_role("slider")
    last = int(await slider.get_attribute("max") or 0)
    await slider.focus()
    await slider.fill(str(last // 2))
    await expect(page).not_to_have_url(re.compile(r"\?at=1$"))
    at = int(re.findall(r"at=(\d+)", page.url)[0])
    assert abs(at - last / 2) < last / 4
    await expect(peg(page, FOUND[0])).to_be_visible()
    await expect(peg(page, FOUND[1])).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await expect(page).not_to_have_url(re.compile(rf"\?at={at}$"))
    await page.get_by_label("Speed").select_option("4")
    await page.get_by_role("button", name="Play").click()
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await expect(page).to_have_url(re.compile(rf"\?at={last}$"), timeout=30_000)
    assert await page.evaluate("window.neverReloaded")
    assert await told(page) == whole


async def test_a_slow_run_is_stopped(page: Page, sample: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = PlannedModel(says("A word. ", "Another. ", *["More. "] * 200), pace=0.3)
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: slow)
    await start(page)
    await expect(page.locator(".caret")).to_be_visible(timeout=20_000)
    await page.get_by_role("button", name="Stop").click()
    await expect(page.locator("#run-summary .status")).to_have_text("stopped")
    await expect(page.locator(".ending")).to_contain_text("A person stopped it.")
    await expect(page.locator(".badge", has_text="cut off")).to_be_visible()


async def test_the_chat_follows_its_end_until_the_reader_leaves_it(
    page: Page, sample: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = PlannedModel(*[calls("files__list_files")] * 14, says(*["line\n"] * 200), pace=0.02)
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: plan)
    await start(page)
    pane = page.locator("[data-chat-pane]")
    from_end = "pane => pane.scrollHeight - pane.scrollTop - pane.clientHeight"
    await expect(page.locator("#run-chat > .step")).to_have_count(14, timeout=20_000)
    await asyncio.sleep(0.1)
    assert await pane.evaluate(from_end) < 64
    await pane.evaluate("pane => { pane.scrollTop = 0 }")
    await expect(page.get_by_role("button", name="Jump to the latest")).to_be_visible()
    assert await pane.evaluate("pane => pane.scrollTop") == 0
    await page.get_by_role("button", name="Jump to the latest").click()
    await ended(page)
    assert await pane.evaluate(from_end) < 64


async def test_a_run_is_started_again_with_its_task_and_catalog(page: Page, sample: Catalog) -> None:
    await a_recorded_run(page)
    await page.get_by_role("link", name="Run again").click()
    await expect(page.get_by_label("Task", exact=True)).to_have_value(re.compile("Lisbon"))
    await expect(page.get_by_label("Catalog", exact=True)).to_have_value("office-agent")


async def test_another_catalog_changes_what_will_happen_and_keeps_the_task(page: Page, sample: Catalog) -> None:
    await page.goto("/playground/")
    await page.get_by_label("Task", exact=True).fill("Mine")
    await page.get_by_label("Catalog", exact=True).select_option("on-call")
    await expect(page).to_have_url(re.compile(r"\?catalog=on-call$"))
    catalog = await Catalog.objects.aget(slug="on-call")
    await expect(page.locator("#start-outlook")).not_to_contain_text("of 147 tools")
    await expect(page.get_by_label("Task", exact=True)).to_have_value("Mine")
    assert catalog.title in await page.get_by_label("Catalog", exact=True).inner_text()


async def test_the_runs_are_filtered_as_one_types(page: Page, sample: Catalog) -> None:
    await a_recorded_run(page)
    await page.goto("/runs/")
    await expect(page.locator("#results tbody tr")).to_have_count(1)
    await page.get_by_role("searchbox").fill("no such words")
    await expect(page.get_by_role("heading", name="No run matches")).to_be_visible()
    await expect(page).to_have_url(re.compile("q=no"))
    await page.get_by_role("searchbox").fill("lisbon")
    await expect(page.locator("#results tbody tr")).to_have_count(1)
    await page.get_by_text("Failed", exact=True).click()
    await expect(page.get_by_role("heading", name="No run matches")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_every_state_can_be_read_by_everyone(page: Page, sample: Catalog, served: Served, theme: str) -> None:
    await page.context.add_cookies([{"name": "theme", "value": theme, "url": served.url}])
    await start(page)
    await expect(peg(page, FOUND[0])).to_be_visible(timeout=60_000)
    run = page.url
    await accessible(page)
    await ended(page)
    for address in ("/playground/", "/runs/", "/runs/?q=none", run, f"{run}?at=9"):
        await page.goto(address)
        await accessible(page)


async def accessible(page: Page) -> None:
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
