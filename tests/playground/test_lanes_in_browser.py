"""Lanes in a real browser: put together, started, watched, and moved through together."""

import re

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from catalog.models import Catalog
from playground.models import ChatModel
from playground.runs import assembling
from tests.playground.runs.doubles import PlannedModel, calls, says

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def told(page: Page) -> list[str]:
    """The summary and the lanes."""
    parts = await page.locator("#lanes-summary, .lane-standing, .lane-steps, .lane-answer").all_inner_texts()
    return [" ".join(part.split()) for part in parts]


async def test_a_task_is_watched_in_several_lanes_over_a_lost_connection_and_played_again(
    page: Page, team: Catalog, demo_model: ChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = PlannedModel(calls("team__notify_user"), says("Ada ", "knows."), pace=0.2)
    monkeypatch.setattr(assembling, "LiteLLMModel", lambda *_, **__: model)
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    await page.route_web_socket(re.compile("/ws/lanes/"), through)
    await page.goto("/lanes/?task=Tell+Ada")
    await page.get_by_role("button", name="Remove lane 3").click()
    await expect(page.get_by_role("button", name="Start 2 lanes")).to_be_visible()
    await page.get_by_label("Mode", exact=True).nth(1).select_option("eino")
    await expect(page).to_have_url(re.compile("2-mode=eino"))
    await page.get_by_label("Task", exact=True).press("Control+Enter")
    await page.wait_for_url(re.compile(r"/lanes/[0-9a-f-]{36}/$"))
    await page.evaluate("window.neverReloaded = true")
    await expect(page.locator(".lane-step").first).to_be_visible()
    await sockets[0].close(code=1012)
    await expect(page.locator(".lane-answer:not([hidden])")).to_have_count(2, timeout=60_000)
    await expect(page.locator("a[data-when-over]")).to_be_visible()
    await expect(page.get_by_role("button", name="Stop all")).to_be_hidden()
    assert await page.evaluate("window.neverReloaded") and len(sockets) == 2
    live = await told(page)
    await page.reload()
    assert await told(page) == live
    assert "2 of 2 lanes a success" in live[0]
    await page.get_by_role("link", name="To the start").click()
    await expect(page).to_have_url(re.compile("at=1"))
    await expect(page.locator(".lane-answer:not([hidden])")).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".lane-answer:not([hidden])")).to_have_count(2)
