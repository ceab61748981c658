"""Calls of runs to a server that was signed in to: with its token, over one session, and never twice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest_asyncio
from django.test import Client
from django.utils import timezone

from catalog.contacting import read_tools
from catalog.importing import import_listing
from catalog.models import Contact, Server, ServerSignIn
from catalog.roles import Role
from catalog.sessions.current import close_sessions, review_soon, standing
from catalog.tools import ToolSpec
from playground.agent.chain import UNKNOWN
from playground.agent.tool_runner import ToolResult
from playground.runs.executing import start
from playground.runs.nested import AgentRuns
from playground.runs.tool_calls import CatalogTools
from tests.catalog.oauth.conftest import notes, protected, sign_in
from tests.protected import Protected

__all__ = ["notes", "protected"]


@pytest_asyncio.fixture
async def run(notes: Server, client_as: Callable[[Role], Client]) -> AsyncIterator[CatalogTools]:
    """The tools of a run, with the server read after an admin signed in."""

    def prepared() -> None:
        sign_in(client_as(Role.ADMIN))
        import_listing(notes, read_tools(notes))

    await asyncio.to_thread(prepared)
    yield CatalogTools("a", set(), AgentRuns(uuid4(), start))
    await close_sessions()


async def called(run: CatalogTools, notes: Server) -> ToolResult:
    def spec() -> ToolSpec:
        return notes.tools.select_related("server").get(name="read_note").to_spec()

    return await run.run(await asyncio.to_thread(spec), {"name": "today"})


def note(result: ToolResult) -> str:
    return result.route.hops[-1].note if result.route else ""


async def test_a_session_outlives_the_token_that_it_began_with(
    run: CatalogTools, notes: Server, protected: Protected
) -> None:
    first = await called(run, notes)
    await ServerSignIn.objects.aupdate(renew_at=timezone.now())
    second = await called(run, notes)
    assert [first.content, second.content] == ["today: water the plants"] * 2
    assert note(second).startswith("session warm for ")
    assert protected.granting.asked == ["authorization_code", "refresh_token"]


async def test_a_call_that_is_turned_away_is_told_as_that_and_the_next_is_let_in(
    run: CatalogTools, notes: Server, protected: Protected
) -> None:
    await called(run, notes)
    protected.granting.forget_access_tokens()
    protected.requests.clear()
    lost = await called(run, notes)
    assert lost.is_error
    assert "answered with the HTTP status 401" in lost.content
    assert UNKNOWN not in lost.content
    assert [status for method, _, status in protected.requests if method == "POST"] == [401]
    assert "401" in (await Contact.objects.filter(kind="call").afirst()).problem  # type: ignore[union-attr]
    again = await called(run, notes)
    assert (again.content, note(again).split()[0]) == ("today: water the plants", "connected")


async def test_signing_out_closes_the_session(run: CatalogTools, notes: Server) -> None:
    await called(run, notes)
    assert standing(notes).state == "warm"
    await ServerSignIn.objects.all().adelete()
    await asyncio.to_thread(review_soon)
    async with asyncio.timeout(20):
        while True:
            if standing(notes).state == "not started":
                break
            await asyncio.sleep(0.02)
    assert "asks for a sign-in" in (await called(run, notes)).content
