"""From an OpenAPI document to a recorded run that called its API, as a curator goes: every step in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.api_server import Api, served_api
from tests.product.test_walkthrough import RUN_PAGE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("demo_model"),
]
LIBRARY = Path(__file__).parents[1] / "catalog" / "sources" / "openapi" / "library.yaml"
KEY = "CANARY-key-of-the-library"
TASK = 'Search the shelves of the library for books about "hexagons".'


@pytest.fixture
def api() -> Iterator[Api]:
    with served_api() as api:
        yield api


async def upload(page: Page, api: Api) -> None:
    await page.goto("/servers/add/openapi/")
    await page.get_by_label("Title").fill("Town library")
    await page.get_by_label("Short name").fill("library")
    await page.get_by_label("The document itself").set_input_files(LIBRARY)
    await page.get_by_label("Base address of its calls").fill(f"{api.address}/v2")
    await page.get_by_role("button", name="Add the server").click()
    await page.wait_for_url("**/servers/library/operations/**", timeout=30_000)


async def pick_three(page: Page) -> None:
    await page.get_by_label("Choose GET /books", exact=True).check()
    await expect(page.locator("#chosen")).to_contain_text("1 of 10 chosen")
    await page.get_by_role("searchbox").fill("loan")
    await page.get_by_label("Choose POST /members/{id}/loans", exact=True).check()
    await expect(page.locator("#chosen")).to_contain_text("2 of 10 chosen")
    await page.get_by_role("searchbox").fill("")
    await page.get_by_text(re.compile("^DELETE")).first.click()
    await expect(page.get_by_label("Choose DELETE /books/{isbn}", exact=True)).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(2)
    await page.get_by_label("All on this page").check()
    await expect(page.locator("#chosen")).to_contain_text("3 of 10 chosen")
    await page.get_by_role("button", name="See the plan").click()
    await expect(page.get_by_text("3 added, 0 unchanged")).to_be_visible()
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text(re.compile("^Applied"))).to_be_visible(timeout=30_000)


async def write_secret_and_approve(page: Page) -> None:
    await page.goto("/servers/library/edit/")
    await page.get_by_label("key", exact=True).fill(KEY)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("main")).to_contain_text("key stored")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_text("approved as it stands")).to_be_visible()


async def make_catalog(page: Page) -> None:
    await page.goto("/catalogs/add/")
    await page.get_by_label("Title").fill("Reading")
    await page.get_by_role("button", name="Make it").click()
    await page.locator('input[name="library-choice"][value="everything"]').check()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name=re.compile(r"Discoverable\s+3"))).to_be_visible()


async def test_an_api_is_added_picked_from_found_and_called(page: Page, api: Api) -> None:
    await upload(page, api)
    await pick_three(page)
    await write_secret_and_approve(page)
    await make_catalog(page)
    await page.goto("/search/?catalog=reading")
    await page.get_by_role("searchbox").fill("find books by subject")
    await expect(page.get_by_role("link", name="library__searchBooks")).to_be_visible()
    assert api.received == []

    await page.goto("/playground/?catalog=reading")
    await page.get_by_label("Model", exact=True).select_option(label="Demo model (scripted, no LLM)")
    await page.get_by_label("Task", exact=True).fill(TASK)
    await page.get_by_role("button", name="Start the run").click()
    await page.wait_for_url(RUN_PAGE)
    await expect(page.locator("#run-chat .ending")).to_be_visible(timeout=60_000)
    assert (api.last.method, api.last.path) == ("GET", "/v2/books")
    assert "hexagons" in api.last.query
    assert api.last.headers["x-library-key"] == KEY
    await expect(page.locator("#run-chat")).to_contain_text("/v2/books?q=")
    await expect(page.locator("body")).not_to_contain_text("CANARY")


async def test_operations_are_picked_without_script(page: Page, context: BrowserContext, api: Api) -> None:
    await upload(page, api)
    assert context.browser is not None
    plain = await context.browser.new_context(java_script_enabled=False, storage_state=await context.storage_state())
    bare = await plain.new_page()
    await bare.goto(f"{page.url}?method=DELETE")
    await expect(bare.get_by_role("row")).to_have_count(2)
    await bare.get_by_label("Choose DELETE /books/{isbn}", exact=True).check()
    await bare.get_by_role("button", name="Keep these ticks").click()
    await expect(bare.locator("#chosen")).to_contain_text("1 of 10 chosen")
    await bare.get_by_role("button", name=re.compile("Choose none")).click()
    await expect(bare.locator("#chosen")).to_contain_text("0 of 10 chosen")
    await bare.get_by_role("button", name=re.compile("Choose all 1 found")).click()
    await bare.get_by_role("button", name="See the plan").click()
    await expect(bare.get_by_text("1 added, 0 unchanged")).to_be_visible()
    await plain.close()


async def test_a_list_of_operations_is_walked_by_keys(page: Page, api: Api) -> None:
    await upload(page, api)
    for key in ("j", "j", "Space"):
        await page.keyboard.press(key)
    await expect(page.locator("#chosen")).to_contain_text("1 of 10 chosen")
    ticked = page.locator("tbody input:checked")
    await expect(ticked).to_have_count(1)
    second = await page.locator("tbody input[name=selected]").nth(1).get_attribute("value")
    assert await ticked.get_attribute("value") == second
