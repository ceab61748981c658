"""Two runs side by side."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.roles import Role
from playground.agent.events import (
    CallFinished,
    CallMade,
    Event,
    HitFound,
    OfferMade,
    RunEnded,
    RunStarted,
    SearchAnswered,
    ToolInView,
    ToolsLoaded,
)
from playground.models import Run
from tests.playground.test_views_runs import run_with

MAIL, ROOM = "mail__send", "rooms__book"


def recorded(*tools: str, query: str = "mail", arguments: str = "{}") -> Run:
    """A run that searched once, loaded what it found, and called it in the next turn."""
    hits = tuple(HitFound(rank, name, "s", 1.0) for rank, name in enumerate(tools, 1))
    view = tuple(ToolInView(name, "s", "loaded", 50) for name in tools)
    made: list[Event] = [CallMade(2, f"c{name}", name, arguments, False) for name in tools]
    ended: list[Event] = [CallFinished(2, f"c{name}", name, "ok", "done", 0.1) for name in tools]
    return run_with(
        RunStarted("Tell Ann", "Team agent", "mastra", "mastra", "planned", True, 5, 500),
        OfferMade(1, (), (), (), 30, True),
        CallMade(1, "s1", "search_tools", "{}", True),
        SearchAnswered(1, "s1", query, "mastra", hits, len(hits), 5, True),
        ToolsLoaded(1, "s1", tools),
        OfferMade(2, view, tools, (), 30 + 50 * len(tools), True),
        *made,
        *ended,
        RunEnded("completed"),
        task="Tell Ann",
    )


@pytest.fixture
def viewer(client_as: Callable[[Role], Client]) -> Client:
    return client_as(Role.VIEWER)


def compared(client: Client, a: Run, b: Run, **more: str) -> Any:
    return client.get(reverse("runs_compare"), {"a": str(a.pk), "b": str(b.pk), **more})


def test_the_calls_of_one_are_expected_of_the_other(viewer: Client) -> None:
    answer = compared(viewer, recorded(MAIL), recorded(ROOM, MAIL))
    (_, rows), *others = answer.context["aligned"]
    assert [(row.verdict, row.made.tool) for row in rows] == [("extra", ROOM), ("as expected", MAIL)]
    assert not others
    assert f"?at={rows[0].made.seq}" in answer.content.decode()


def test_tools_searches_and_tokens_stand_side_by_side(viewer: Client) -> None:
    found = compared(viewer, recorded(MAIL), recorded(ROOM, MAIL, query="room")).context["compared"]
    room = next(row for row in found.tools if row.name == ROOM)
    assert (room.a.in_view, room.a.called) == (None, 0)
    assert (room.b.in_view, room.b.rank, room.b.loaded, room.b.called) == (2, 1, 1, 1)
    assert found.differing == 2
    (_, only_a), (_, only_b) = found.searches[0].sides
    assert (only_a, only_b) == (set(), {ROOM})
    assert (found.a.outline.tokens, found.b.outline.tokens) == ((30, 80), (30, 130))


def test_both_are_held_against_what_a_person_expects(viewer: Client) -> None:
    one, other = recorded(MAIL, arguments='{"to": "Ann"}'), recorded(ROOM)
    answer = compared(viewer, one, other, expect=f'{MAIL} {{"to": "Bob"}}')
    assert [[row.verdict for row in rows] for _, rows in answer.context["aligned"]] == [
        ["arguments differ"],
        ["missing", "extra"],
    ]


def test_what_cannot_be_read_of_it_is_told_and_kept(viewer: Client) -> None:
    page = compared(viewer, recorded(MAIL), recorded(MAIL), expect="mail__send {oops").content.decode()
    assert "Line 1: what follows the name is not JSON." in page
    assert "mail__send {oops" in page


@pytest.mark.parametrize("query", [{}, {"a": "x"}, {"a": "00000000-0000-0000-0000-000000000009"}])
def test_without_two_runs_one_is_asked_to_choose(viewer: Client, query: dict[str, str]) -> None:
    recorded(MAIL)
    answer = viewer.get(reverse("runs_compare"), query)
    assert "Choose two runs" in answer.content.decode()
    assert len(answer.context["offered"]) == 1


def test_two_runs_of_the_list_are_compared_the_older_first(viewer: Client) -> None:
    older, newer = recorded(MAIL), recorded(ROOM)
    keys = [str(newer.pk), str(older.pk)]
    answer = viewer.post(reverse("runs_compare_choose"), {"selected": keys})
    assert answer["Location"] == f"{reverse('runs_compare')}?a={older.pk}&b={newer.pk}"
    assert viewer.post(reverse("runs_compare_choose"), {"selected": keys[:1]})["Location"] == reverse("runs")
