"""The run's page in a real browser: what comes through the socket ends in the same page as one that is loaded anew."""

import asyncio
import re

import pytest
from django.utils import timezone
from playwright.async_api import Page, WebSocketRoute, expect

from catalog.owners import this_process
from catalog.redaction import Redactor
from playground.agent.events import Event, RunEnded, TextStreamed
from playground.models import Run, Thread
from playground.runs import feed
from playground.runs.appending import Addition, append
from tests.conftest import Served
from tests.playground.runs.recordings import EVERY_KIND

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
PARTS = ("run-chat", "run-about", "run-summary", "run-meter", "run-board", "run-seq")


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "POLL_EVERY", 0.05)


async def new_run() -> Run:
    thread = await Thread.objects.acreate(title="t")
    owner = await asyncio.to_thread(this_process)
    return await Run.objects.acreate(thread=thread, task="Weather in Oslo?", owner=owner.id)


async def record(run: Run, *events: Event) -> None:
    """As another process would: the page's server finds out by itself."""
    stamped = [(timezone.now(), event) for event in events]
    await asyncio.to_thread(append, Addition(run.pk, stamped, Redactor()))


WITHOUT_ACTS = """node => {
  const copy = node.cloneNode(true);
  copy.querySelectorAll(".held-act").forEach((act) => act.remove());
  return copy.outerHTML;
}"""
"""What can be done about a held call is for each person, so that a live page asks for it by itself."""


async def parts(page: Page) -> dict[str, str]:
    """The HTML of what a run changes, without what only tells that it has just arrived."""
    found = {}
    for part in PARTS:
        html = await page.locator(f"#{part}").evaluate(WITHOUT_ACTS)
        html = re.sub(r"\s+", " ", html.replace(" arriving", "").replace(' class=""', ""))
        found[part] = re.sub(r"> | <", lambda match: match[0].strip(), html)
    return found


async def at(page: Page, seq: int) -> None:
    await expect(page.locator(f"#run-seq[data-seq='{seq}']")).to_be_attached(timeout=10_000)


async def test_a_page_that_was_there_from_the_start_equals_one_loaded_anew(page: Page, served: Served) -> None:
    run = await new_run()
    await page.goto(run.get_absolute_url())
    for seq, event in enumerate(EVERY_KIND, start=1):
        await record(run, event)
        await at(page, seq)
        if seq % 4 == 0:
            anew = await page.context.new_page()
            await anew.goto(run.get_absolute_url())
            assert await parts(page) == await parts(anew)
            await anew.close()
    live = await parts(page)
    await page.reload()
    assert live == await parts(page)


async def test_a_page_that_was_cut_off_says_so_and_catches_up(page: Page, served: Served) -> None:
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    await page.route_web_socket(re.compile("/ws/runs/"), through)
    run = await new_run()
    await record(run, *EVERY_KIND[:4])
    await page.goto(run.get_absolute_url())
    await record(run, TextStreamed(1, "before "))
    await at(page, 5)
    await sockets[0].close(code=1012)
    await expect(page.locator("[data-connection-case=lost]")).to_be_visible()
    await record(run, TextStreamed(1, "meanwhile "), TextStreamed(1, "after."))
    await at(page, 7)
    await expect(page.locator("[data-connection]")).to_be_hidden()
    await expect(page.locator(".said").last).to_have_text("I will before meanwhile after.")
    assert len(sockets) == 2


async def test_a_page_whose_right_is_gone_says_so_and_does_not_try_again(page: Page, served: Served) -> None:
    run = await new_run()
    await page.goto(run.get_absolute_url())
    await record(run, *EVERY_KIND[:4])
    await at(page, 4)
    await run.adelete()
    await expect(page.locator("[data-connection-case=refused]")).to_be_visible(timeout=8_000)


async def test_stopping_a_run_ends_it_on_the_page(page: Page, served: Served) -> None:
    run = await new_run()
    await page.goto(run.get_absolute_url())
    await record(run, *EVERY_KIND[:4], RunEnded("stopped", "A person stopped it."))
    await expect(page.locator("#run-summary .status")).to_contain_text("stopped")
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden()
