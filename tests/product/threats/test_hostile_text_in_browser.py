"""What strangers write stays text in a real browser, wherever it is shown and however it arrives (T11, T12, T13)."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from playwright.async_api import Page, expect

from catalog.importing import import_listing
from catalog.models import Catalog, Drift, Import, Server, Tool
from catalog.models.contact import Introduction
from catalog.owners import this_process
from catalog.redaction import Redactor
from catalog.shaping import place_server
from catalog.sources.listing import read_listing
from catalog.sources.tools_yaml import read_yaml
from playground.agent.events import CallFinished, CallMade, Event, ModelRetried, RunEnded, TextStreamed
from playground.models import Run, Thread
from playground.runs.appending import Addition, append
from playground.runs.recording import Recorder
from tests.conftest import Served
from tests.playground.runs.conftest import STARTED
from tests.playground.runs.recordings import EVERY_KIND
from tests.product.threats.payloads import LEAVING, PAYLOADS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
TOOLS = 9
"""Each says every ninth of the texts in all its fields."""
RECORDED, LIVE = UUID(int=1), UUID(int=2)
SOUND = """() => {
    const odd = [...document.querySelectorAll("[zq], base, iframe, object, embed, [http-equiv]")].map(one => one.outerHTML);
    const attributes = Object.getOwnPropertyDescriptor(Element.prototype, "attributes").get;  // a form may hide its own
    for (const one of document.querySelectorAll("*"))
        for (const {name, value} of attributes.call(one))
            if (name.startsWith("on") || name.startsWith("hx-on") || name === "srcdoc" || name === "style" ||
                (["href", "src", "action", "formaction", "hx-get", "hx-post"].includes(name) &&
                 /^\\s*(javascript|data:text|\\/\\/|https?:)/i.test(value)))
                odd.push(`${name}=${value}`);
    return [...odd, ...(window.__xss === undefined ? [] : ["a script ran"])];
}"""
FETCHED = f"""async (addresses) => {{
    const found = [];
    for (const address of addresses) {{
        const answer = await fetch(address);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const odd = (function (document) {{ return ({SOUND})(); }})(page);
        if (answer.status !== 200 || odd.length) found.push([address, answer.status, odd]);
    }}
    return found;
}}"""
"""Takes the pages apart as the browser does, without showing them: fifty in a second."""


WATCH = """new MutationObserver((changes) => {
    for (const node of changes.flatMap(({addedNodes}) => [...addedNodes]))
        if (node instanceof Element && (node.matches("[zq]") || node.querySelector("[zq]")))
            sessionStorage.odd = (sessionStorage.odd ?? "") + node.outerHTML.slice(0, 200);
}).observe(document, {childList: true, subtree: true})"""
"""Keeps what a frame made of a text, be it gone a moment later."""


def hostile_tool(number: int, text: str) -> dict[str, Any]:
    """A tool that says the text in every field."""
    leaf = {"type": "string", "title": text, "description": text, "enum": [text], "default": text, "examples": [text]}
    return {
        "name": f"t{number}",
        "title": text,
        "description": text,
        "inputSchema": {"type": "object", "properties": {text: leaf, "plain": leaf}, "required": [text]},
        "outputSchema": {"type": "object", "description": text},
        "annotations": {"title": text},
        "category": text[:200],
        "tags": [text[:200]],
    }


def events() -> Iterator[Event]:
    yield from EVERY_KIND[:-1]
    for number, text in enumerate([*PAYLOADS, *LEAVING]):
        yield CallMade(9, f"c{number}", text[:60], text, False)
        yield CallFinished(9, f"c{number}", text[:60], "failed", text, 0.1)
    yield ModelRetried(9, 1, PAYLOADS[0], 0.1)
    yield TextStreamed(9, "\n".join([*PAYLOADS, *LEAVING]))
    yield RunEnded("failed", PAYLOADS[10])


@pytest.fixture
def hostile(served: Served, team: Catalog) -> list[str]:
    """Rows in which strangers say all of it, and the addresses of the pages that show them."""
    texts = "\n".join(PAYLOADS)
    server = Server.objects.create(slug="hostile", title=PAYLOADS[0][:200], kind=Server.Kind.MCP, description=texts)
    server.transport, server.url, server.sync_problem = Server.Transport.HTTP, "http://example.com/", texts
    server.save()
    tools = [hostile_tool(number, "\n".join(PAYLOADS[number::TOOLS])) for number in range(TOOLS)]
    import_listing(server, read_listing(tools, curated=True))
    import_listing(
        server, read_listing([tool | {"outputSchema": {"title": texts}} for tool in tools[:3]], curated=True)
    )
    named = [{"name": text[:120], "description": text} for text in PAYLOADS[::3] if text.isprintable()]
    import_listing(server, read_yaml(json.dumps({"tools": named})))
    place_server(team, server, "everything")
    Tool.objects.update(suspicions_seen_at=timezone.now(), gone_at=None)
    Introduction.objects.create(server=server, name=texts[:200], instructions=texts)
    failed = Import.objects.create(server=server, state=Import.State.FAILED, error=texts, source=texts[:300])
    thread = Thread.objects.create(title=PAYLOADS[0])
    Run.objects.create(pk=RECORDED, thread=thread, task=texts)
    Run.objects.create(pk=LIVE, thread=Thread.objects.create(title=texts[:200]), task=texts, owner=this_process().id)
    append(Addition(RECORDED, [(timezone.now(), event) for event in events()], Redactor()))
    run, search = f"/runs/{RECORDED}/", f"/search/?catalog={team.slug}&q="
    return [
        *(f"/tools/hostile/t{number}/" for number in range(TOOLS)),
        *(tool.get_absolute_url() for tool in Tool.objects.exclude(name__regex=r"^t\d+$").filter(server=server)),
        *(f"/drift/{pk}/" for pk in Drift.objects.values_list("pk", flat=True)),
        *("/tools/", "/tools/?server=hostile&tool=hostile/t1&edit=1", "/tools/hostile/t1/edit/", "/tools/hostile/t2/call/"),
        *("/servers/", "/servers/hostile/", "/servers/hostile/edit/", "/drift/", "/lint/", "/catalogs/compare/"),
        *(failed.get_absolute_url(), f"/catalogs/{team.slug}/", f"/catalogs/{team.slug}/?part=left-out"),
        *(f"/catalogs/{team.slug}/upfront/?add=t", f"/catalogs/{team.slug}/servers/hostile/", f"/catalogs/{team.slug}/policy/"),
        *(f"/catalogs/{team.slug}/mode/", search + "script+onerror", search + "x&engines=pegboard,eino-keyword,like&why=hostile__t1"),
        *(run, f"{run}?view=trace", f"{run}?view=raw", f"{run}?at=5", "/runs/", f"/threads/{thread.pk}/", "/", "/playground/"),
        *(f"/playground/answer/?catalog={team.slug}&q=script", "/admin/catalog/tool/", "/admin/catalog/server/"),
    ]  # fmt: skip


VISITED = ("/tools/hostile/t10/", "/servers/hostile/", "/search/", "/drift/1", "/tools/?server", "/lint/")


@pytest.mark.threat("T11")
@pytest.mark.threat("T12")
@pytest.mark.threat("T13")
async def test_hostile_text_stays_text_on_every_page(page: Page, hostile: list[str]) -> None:
    await page.goto("/styleguide/")
    assert await page.evaluate(FETCHED, hostile) == []
    shown = [address for address in hostile if address.startswith(VISITED)][:10]
    for address in [*shown, f"/runs/{RECORDED}/"]:
        await page.goto(address)
        assert await page.evaluate(SOUND) == []
    told = await page.locator("#run-chat").inner_text()
    assert "50337" not in told and "https://evil.test/?d=SECRET" in told
    await record_live(page)


async def record_live(page: Page) -> None:
    """The same while it happens: in pieces, over the socket, and across a reconnect."""
    await page.add_init_script(WATCH)
    await page.goto(f"/runs/{LIVE}/")
    recorder = Recorder(LIVE)
    await recorder.record(STARTED)
    for size in (1, 3, 7, 40):
        text = "".join([*PAYLOADS, *LEAVING])[size * 100 : size * 100 + 1_500]
        for start in range(0, len(text), size):
            await recorder.record(TextStreamed(size, text[start : start + size]))
            if start % (size * 60) == 0:
                await asyncio.sleep(0.02)
        await recorder.record(CallMade(size, f"c{size}", "x", text, False))
        await recorder.record(CallFinished(size, f"c{size}", "x", "ok", text, 0.1))
        if size == 3:
            await page.reload()
    await recorder.record(RunEnded("completed"))
    await recorder.close()
    await expect(page.locator("#run-summary")).to_contain_text("completed", timeout=20_000)
    assert await page.evaluate(SOUND) == []
    assert await page.evaluate("sessionStorage.odd ?? ''") == ""
