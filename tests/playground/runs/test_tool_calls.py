"""Tool calls of a run: played, made, or refused with a reason."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio

from catalog.models import Catalog, Server
from catalog.sessions.current import close_sessions
from catalog.tools import ToolSpec
from playground.runs.executing import start
from playground.runs.nested import AgentRuns
from playground.runs.tool_calls import CatalogTools, simulated_servers
from tests.approving import approve

CLOCK = ToolSpec(name="clock__get_current_time", server="clock", upstream_name="get_current_time")
FORECAST = ToolSpec(
    name="weather__get_forecast",
    server="weather",
    upstream_name="get_forecast",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest_asyncio.fixture
async def tools() -> AsyncIterator[CatalogTools]:
    tools = CatalogTools("run-1", frozenset({"weather", "team"}), AgentRuns(uuid4(), start))
    yield tools
    await close_sessions()


@pytest.fixture
def clock(transactional_db: None) -> Server:
    """A real MCP server, which nobody approved yet."""
    command = Path(sys.executable).with_name("mcp-server-time")
    return Server.objects.create(
        slug="clock", title="Clock", kind=Server.Kind.MCP, transport=Server.Transport.STDIO, command=str(command)
    )


def test_tools_of_servers_that_cannot_be_reached_are_played(team: Catalog) -> None:
    assert simulated_servers(team) == {"team"}


async def test_a_played_call_answers_from_the_tools_own_words(sample: Catalog, tools: CatalogTools) -> None:
    result = await tools.run(FORECAST, {"city": "Oslo"})
    assert not result.is_error
    assert "Oslo" in result.content
    assert isinstance(json.loads(result.content), dict)


async def test_a_played_call_minds_its_arguments(tools: CatalogTools) -> None:
    result = await tools.run(FORECAST, {"town": "Oslo"})
    assert result.is_error
    assert "city: is required" in result.content


async def test_a_server_that_no_admin_approved_is_not_started(clock: Server, tools: CatalogTools) -> None:
    result = await tools.run(CLOCK, {"timezone": "UTC"})
    assert result.is_error
    assert "approved by an admin" in result.content


async def test_an_approved_server_is_called(clock: Server, tools: CatalogTools) -> None:
    await asyncio.to_thread(approve, clock)
    results = [await tools.run(CLOCK, {"timezone": zone}) for zone in ("UTC", "Europe/Oslo", "Nowhere/At_all")]
    assert [result.is_error for result in results] == [False, False, True]
    assert "Europe/Oslo" in results[1].content


async def test_calls_of_one_answer_are_made_at_the_same_time(clock: Server, tools: CatalogTools) -> None:
    await asyncio.to_thread(approve, clock)
    results = await asyncio.gather(*(tools.run(CLOCK, {"timezone": "UTC"}) for _ in range(5)))
    assert not any(result.is_error for result in results)


async def test_an_approval_that_was_taken_back_counts_from_the_next_call(clock: Server, tools: CatalogTools) -> None:
    await asyncio.to_thread(approve, clock)
    assert not (await tools.run(CLOCK, {"timezone": "UTC"})).is_error
    await Server.objects.aupdate(args=["--local-timezone=UTC"])
    assert "approved by an admin" in (await tools.run(CLOCK, {"timezone": "UTC"})).content


async def test_a_server_that_was_removed_is_said_to_be(tools: CatalogTools) -> None:
    assert "removed or switched off" in (await tools.run(CLOCK, {})).content


async def test_a_server_that_cannot_start_says_why_each_time(clock: Server, tools: CatalogTools) -> None:
    clock.command = "/usr/bin/false"
    await asyncio.to_thread(approve, clock)
    for _ in range(2):
        assert (await tools.run(CLOCK, {})).is_error
