"""A tool is called as it was offered, or not at all; and an answer that breaks its promise is told."""

import json
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.utils import timezone

from catalog import background
from catalog.importing import import_listing
from catalog.models import Drift, Import, Server
from catalog.sessions import rereading
from catalog.sessions.current import close_sessions
from catalog.sources.call_outcome import CallOutcome
from catalog.sources.listing import Listing, read_listing
from catalog.tools import ToolSpec
from playground.agent.tool_runner import ToolResult
from playground.runs.executing import start
from playground.runs.links.promises import broken_promise, changed_meanwhile, why_not_as_offered
from playground.runs.nested import AgentRuns
from playground.runs.tool_calls import CatalogTools
from tests.approving import approve
from tests.servers import telling_command

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}}
NOTHING = {"type": "object", "properties": {"tools": {"type": "string"}}}


def listed(**echo: Any) -> list[dict[str, Any]]:
    return [{"name": "echo", "inputSchema": TEXT, **echo}, {"name": "change", "inputSchema": NOTHING}]


def listing_of(tools: list[dict[str, Any]]) -> Listing:
    return read_listing(tools)


@pytest.fixture
def far(transactional_db: None, tmp_path: Path) -> Server:
    (tmp_path / "tools").write_text(json.dumps(listed()))
    command = telling_command(tmp_path / "tools")
    server = Server(slug="far", title="Far", kind=Server.Kind.MCP, transport=Server.Transport.STDIO)
    server.command, server.args = command.command, list(command.args)
    approve(server)
    import_listing(server, listing_of(listed()))
    return server


@pytest_asyncio.fixture
async def tools(far: Server) -> AsyncIterator[CatalogTools]:
    tools = CatalogTools("run-1", frozenset(), AgentRuns(uuid4(), start))
    yield tools
    await close_sessions()


def spec(far: Server, name: str) -> ToolSpec:
    return far.tools.select_related("server").get(name=name).to_spec()


async def called(of: CatalogTools, far: Server, name: str, **arguments: str) -> ToolResult:
    return await of.run(await sync_to_async(spec)(far, name), arguments)


@pytest.fixture
def read_again(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Readings that a server's word brings, at once instead of soon, kept instead of made."""
    work: list[Callable[[], None]] = []
    monkeypatch.setattr(rereading, "SETTLE", 0.0)
    monkeypatch.setattr(background, "submit", work.append)
    return work


@pytest.mark.threat("T24")
async def test_a_tool_whose_parameters_change_in_mid_run_is_not_called(
    tools: CatalogTools, far: Server, read_again: list[Callable[[], None]]
) -> None:
    assert "echo was called" in (await called(tools, far, "echo")).content
    await called(tools, far, "change", tools=json.dumps(listed(inputSchema=COUNT)))
    result = await called(tools, far, "echo")
    assert result.is_error
    assert "The server changed what echo means while this ran (parameters)" in result.content
    assert result.route and "held back" in result.route.hops[-1].note


async def test_a_tool_that_is_taken_away_in_mid_run_is_not_called(
    tools: CatalogTools, far: Server, read_again: list[Callable[[], None]]
) -> None:
    await called(tools, far, "change", tools=json.dumps(listed()[1:]))
    assert "echo is gone" in (await called(tools, far, "echo")).content


async def test_another_wording_holds_nothing_back(
    tools: CatalogTools, far: Server, read_again: list[Callable[[], None]]
) -> None:
    await called(tools, far, "change", tools=json.dumps(listed(description="Say it again")))
    assert "echo was called" in (await called(tools, far, "echo")).content


async def test_a_server_that_says_that_its_tools_changed_is_read_again_once(
    tools: CatalogTools, far: Server, read_again: list[Callable[[], None]]
) -> None:
    for _ in range(3):
        await called(tools, far, "change", tools=json.dumps(listed(inputSchema=COUNT, description="New")))
    assert len(read_again) == 1
    await sync_to_async(read_again[0], thread_sensitive=False)()
    assert await Drift.objects.aget() and (await Drift.objects.aget()).changes_meaning
    assert (await Import.objects.aget()).source == "the server itself, which said that its tools changed"


async def test_a_prompt_is_fetched_by_its_call_plan(tools: CatalogTools, far: Server) -> None:
    from catalog.contacting import read_tools

    def import_all() -> None:
        import_listing(far, read_tools(far))

    await sync_to_async(import_all, thread_sensitive=False)()
    prompt = await sync_to_async(spec)(far, "get_prompt")
    result = await tools.run(prompt, {"name": "summarise", "arguments": {"length": "9"}})
    assert result.content == "user: Summarise in 9 words"


def test_a_change_that_was_found_while_it_ran_holds_the_call_back_and_an_earlier_one_does_not(far: Server) -> None:
    offered, before = spec(far, "echo"), timezone.now() - timedelta(minutes=1)
    import_listing(far, listing_of(listed(inputSchema=COUNT)))
    row = far.tools.get(name="echo")
    assert "(parameters)" in why_not_as_offered(offered, row, before)
    assert why_not_as_offered(offered, row, timezone.now()) == ""


@pytest.mark.threat("T24")
def test_a_change_that_a_person_accepts_while_it_ran_holds_the_call_back(far: Server) -> None:
    offered = spec(far, "echo")
    import_listing(far, listing_of(listed(inputSchema=COUNT)), accept_meaning=True)
    assert "takes other parameters now" in why_not_as_offered(offered, far.tools.get(name="echo"), timezone.now())


def test_what_waited_for_review_already_is_no_change(far: Server) -> None:
    now = listing_of(listed(inputSchema=COUNT))
    import_listing(far, now)
    row = far.tools.get(name="echo")
    known = set(row.drifts.values_list("upstream_hash", flat=True))
    assert changed_meanwhile(row, known, now) == ""
    assert changed_meanwhile(row, set(), now) != ""
    assert changed_meanwhile(row, set(), None) == ""


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (CallOutcome("", {"n": 1}), ""),
        (CallOutcome("", {"n": "one"}), "its result is not what it promised: n: “one” is not a whole number"),
        (CallOutcome("", {}), "n: is required"),
        (CallOutcome("text"), "it promised structured content and sent none"),
        (CallOutcome("no", is_error=True), ""),
    ],
)
def test_an_answer_that_is_not_what_was_promised_is_told(far: Server, outcome: CallOutcome, told: str) -> None:
    row = far.tools.get(name="echo")
    row.output_schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    found = broken_promise(row, outcome)
    assert told in found and bool(told) == bool(found)
    row.output_schema = {}
    assert broken_promise(row, outcome) == ""
