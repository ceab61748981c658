"""What an agent of a catalog gets for a query: exactly what its mode answers."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from catalog.models import Catalog
from catalog.roles import Role
from playground.modes import MODES
from playground.modes.searching import search_call
from playground.runs.assembling import mode_of
from playground.transcript import ToolCall
from tests.catalog.pages import text_of

ADDRESS = "/playground/answer/?catalog=team-agent&q=channel"


@pytest.fixture
def viewer(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


@pytest.mark.parametrize("slug", [slug for slug, mode in MODES.items() if mode.meta_tools])
def test_every_mode_is_asked_by_its_search_tool(team: Catalog, slug: str) -> None:
    team.mode = slug
    mode, _ = mode_of(team)
    call = search_call(mode, "it's “channel”")
    assert call is not None
    assert call.name in {tool.name for tool in mode.meta_tools}
    assert list(json.loads(call.arguments).values()) == ["it's “channel”"]
    assert mode.answer(call, ()).ranking is not None


@pytest.mark.parametrize("slug", [slug for slug, mode in MODES.items() if not mode.meta_tools])
def test_a_mode_without_a_search_says_so(viewer: Client, team: Catalog, slug: str) -> None:
    Catalog.objects.filter(pk=team.pk).update(mode=slug)
    assert "a model does not search with a query" in text_of(viewer, ADDRESS)


def test_the_answer_alone_is_what_a_run_would_record(viewer: Client, team: Catalog) -> None:
    mode, _ = mode_of(team)
    expected = mode.answer(ToolCall("x", "search_tools", '{"query": "channel"}'), ()).content
    response = viewer.get(f"{ADDRESS}&raw")
    assert response.content.decode() == expected
    assert response["Content-Type"] == "text/plain; charset=utf-8"


def test_the_page_and_the_part_show_call_and_answer(viewer: Client, team: Catalog) -> None:
    page, part = text_of(viewer, ADDRESS), text_of(viewer, ADDRESS, **{"HX-Request": "true"})
    assert "<html" in page
    assert "<html" not in part
    for text in (page, part):
        assert "The model calls <b>search_tools</b>" in text
        assert "{&quot;query&quot;: &quot;channel&quot;}" in text
        assert "team__notify_channel" in text
        assert "It loads nothing" in text


def test_it_says_if_an_agent_gets_another_engine_than_the_one_looked_at(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, f"{ADDRESS}&engine=mastra")
    assert "mcpagent answers with what <b>mcpagent pattern</b> finds. The search page asked Mastra BM25" in page
    Catalog.objects.filter(pk=team.pk).update(engine="mastra", engine_settings={"min_score": 0.5})
    page = text_of(viewer, f"{ADDRESS}&engine=mastra")
    assert "mcpagent answers with what <b>Mastra BM25</b> finds." in page
    assert "The search page asked" not in page


def test_a_catalog_that_cannot_be_run_says_why(viewer: Client, team: Catalog) -> None:
    Catalog.objects.filter(pk=team.pk).update(mode="gone")
    assert "names a mode that is not there: gone" in text_of(viewer, ADDRESS)


def test_a_query_that_cannot_be_run_is_the_answer_of_the_mode(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/playground/answer/?catalog=team-agent&q=(")
    assert "as an error" in page
    assert "invalid regex pattern" in page


def test_what_nobody_sees_is_in_no_answer(viewer: Client, team: Catalog) -> None:
    team.servers.get().server.tools.filter(name="notify_channel").update(description="hid\u202eden")
    team.servers.get().server.save()
    page = text_of(viewer, ADDRESS)
    assert "hidden" in page.split('<textarea id="exact-answer"')[1]
    assert "\u202e" not in page


def test_the_search_page_leads_to_it(viewer: Client, team: Catalog) -> None:
    page = text_of(viewer, "/search/?catalog=team-agent&q=channel&engine=mastra")
    assert 'href="/playground/answer/?catalog=team-agent&amp;q=channel&amp;engine=mastra"' in page
