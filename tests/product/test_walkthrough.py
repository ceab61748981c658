"""From a server nobody here wrote to a recorded run, as a newcomer goes: every step in a real browser."""

import re

import pytest
from playwright.async_api import Page, expect

from catalog.models import Catalog
from tests.model_endpoint import ModelEndpoint
from tests.servers import everything_stdio_command

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("demo_model"),
]
RUN_PAGE = re.compile(r"/runs/[0-9a-f-]{36}/$")
TASK = 'Echo "hello pegboard" and add 17 and 25.'


async def approve_and_apply(page: Page, shown: str) -> None:
    """Approve what the page shows, look at the plan, apply it."""
    await expect(page.get_by_role("main")).to_contain_text(shown)
    await page.get_by_role("button", name="Approve").click()
    await page.get_by_role("button", name="Apply").click(timeout=30_000)
    await expect(page.get_by_text(re.compile("^Applied"))).to_be_visible(timeout=30_000)


async def add_command(page: Page) -> None:
    line = everything_stdio_command().line
    await page.goto("/servers/add/command/")
    await page.get_by_label("Title").fill("Everything")
    await page.get_by_label("Command").fill(line)
    await page.get_by_role("button", name="Add the server").click()
    await approve_and_apply(page, "mcp-server-everything")


async def add_address(page: Page, url: str) -> None:
    await page.goto("/servers/add/address/")
    await page.get_by_label("Title").fill("Everything by address")
    await page.get_by_label("Short name").fill("remote")
    await page.get_by_label("Address").fill(url)
    await page.get_by_role("button", name="Add the server").click()
    await approve_and_apply(page, url)


async def make_catalog(page: Page, server: str) -> None:
    await page.goto("/catalogs/add/")
    await page.get_by_label("Title").fill("Tryout")
    await page.get_by_role("button", name="Make it").click()
    await page.locator(f'input[name="{server}-choice"][value="patterns"]').check()
    await page.locator(f'textarea[name="{server}-patterns"]').fill("echo\n*-sum")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name=re.compile(r"Discoverable\s+2"))).to_be_visible()
    await page.get_by_role("link", name="Left out").click()
    await expect(page.get_by_text(f"filter: {server}: echo, *-sum").first).to_be_visible()


async def run(page: Page, model: str, catalog: str = "tryout") -> None:
    await page.goto(f"/playground/?catalog={catalog}")
    await page.get_by_label("Model", exact=True).select_option(label=model)
    await page.get_by_label("Task", exact=True).fill(TASK)
    await page.get_by_role("button", name="Start the run").click()
    await page.wait_for_url(RUN_PAGE)
    await expect(page.locator("#run-chat .ending")).to_be_visible(timeout=60_000)


async def expect_real_answers(page: Page) -> None:
    await expect(page.locator("#run-chat")).to_contain_text("Echo: hello pegboard")
    await expect(page.locator("#run-chat")).to_contain_text("The sum of 17 and 25 is 42")
    await expect(page.locator("#run-chat")).not_to_contain_text("simulated")


@pytest.mark.parametrize("server", ["everything", "remote"])
async def test_a_real_server_is_imported_searched_and_called(page: Page, everything_http: str, server: str) -> None:
    await (add_command(page) if server == "everything" else add_address(page, everything_http))
    await make_catalog(page, server)

    await page.goto("/search/?catalog=tryout")
    await page.get_by_role("searchbox").fill("echo a message")
    await expect(page.get_by_role("link", name=f"{server}__echo")).to_be_visible()

    await run(page, "Demo model (scripted, no LLM)")
    await expect_real_answers(page)
    recorded = page.url

    await page.goto("/runs/")
    await page.get_by_role("link", name=re.compile("hello pegboard")).first.click()
    await expect(page).to_have_url(recorded)
    await expect_real_answers(page)
    await page.goto(f"{recorded}?at=2")
    await expect(page.locator("#run-chat")).not_to_contain_text("Echo: hello")


async def add_model(page: Page, url: str) -> None:
    await page.goto("/chat-models/")
    await page.get_by_label("Title").fill("Loopback")
    await page.get_by_label("Model", exact=True).fill("openai/tiny")
    await page.get_by_label("Address").fill(url)
    await page.get_by_label("API key").fill("sk-walkthrough-0123456789")
    await page.get_by_role("button", name="Add the model").click()


async def test_a_model_endpoint_on_loopback_finds_and_calls_real_tools(
    page: Page, model_endpoint: ModelEndpoint
) -> None:
    await add_command(page)
    await make_catalog(page, "everything")
    await add_model(page, model_endpoint.url())
    await run(page, "Loopback")
    await expect_real_answers(page)
    await expect(page.locator("body")).not_to_contain_text("sk-")


@pytest.mark.parametrize("mood", ["trunc", "401", "html", "halftool"])
async def test_a_model_that_breaks_is_never_shown_as_completed(
    page: Page, team: Catalog, model_endpoint: ModelEndpoint, mood: str
) -> None:
    await add_model(page, model_endpoint.url(mood))
    await run(page, "Loopback", team.slug)
    await expect(page.locator("#run-summary")).to_contain_text("failed")
    await expect(page.locator("body")).not_to_contain_text("sk-")


async def test_a_changed_command_is_not_started_until_it_is_approved_again(page: Page) -> None:
    await add_command(page)
    await page.goto("/servers/everything/edit/")
    command = page.get_by_label("Command")
    await command.fill((await command.input_value()) + " --other")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("changed since approval").first).to_be_visible()
    await expect(page.get_by_role("button", name="Read its tools", exact=True)).to_have_count(0)
