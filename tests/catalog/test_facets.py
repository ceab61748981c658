"""Facets: counts over groups agree with asking every tool by itself, in plain Python and in the database."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.facets import NONE, STATES, Chosen, Group, count
from catalog.models import Drift, Server, Tool
from catalog.narrowing import chosen_tools, groups_of

TAGS = ["chat", "Chat", 'a"chat', "chat, mail", "发票", "[x", "-"]
GROUPS = st.builds(
    Group,
    server=st.sampled_from(["mail", "files"]),
    category=st.sampled_from(["", "office", "Office"]),
    tags=st.lists(st.sampled_from(TAGS), unique=True, max_size=3).map(tuple),
    permission=st.sampled_from(["", "read", "dangerous"]),
    kind=st.sampled_from(["tool", "skill"]),
    states=st.frozensets(st.sampled_from(sorted(STATES))),
)
CHOSEN = st.builds(
    Chosen,
    server=st.sampled_from(["", "mail"]),
    category=st.sampled_from(["", "office", NONE]),
    tag=st.sampled_from(["", "chat", NONE]),
    permission=st.sampled_from(["", "read", NONE]),
    kind=st.sampled_from(["", "tool"]),
    states=st.lists(st.sampled_from(sorted(STATES)), unique=True, max_size=2).map(tuple),
    all=st.booleans(),
)


def is_chosen(group: Group, chosen: Chosen) -> bool:
    """What an address says, asked of one tool."""
    wanted = [
        (chosen.server, [group.server]),
        (chosen.category, [group.category or NONE]),
        (chosen.tag, list(group.tags) or [NONE]),
        (chosen.permission, [group.permission or NONE]),
        (chosen.kind, [group.kind]),
    ]
    here = "gone" not in group.states or chosen.all or "gone" in chosen.states
    return here and all(not one or one in has for one, has in wanted) and set(chosen.states) <= group.states


@given(st.lists(GROUPS, max_size=20), CHOSEN)
def test_each_count_is_what_choosing_it_would_leave(groups: list[Group], chosen: Chosen) -> None:
    counts = count(groups, chosen)
    assert counts.found == sum(is_chosen(group, chosen) for group in groups)
    changed: dict[Any, Any] = {
        name: getattr(chosen, name) for name in ("server", "category", "tag", "permission", "kind", "states", "all")
    }
    for facet in ("category", "permission", "kind", "tag"):
        for value, found in counts.facets[facet]:
            then = Chosen(**{**changed, facet: value})
            assert found == sum(is_chosen(group, then) for group in groups), (facet, value)
    for state, found in counts.facets["state"]:
        then = Chosen(**{**changed, "states": (*chosen.states, state)})
        assert found == sum(is_chosen(group, then) for group in groups), state
    for server in counts.servers:
        of = [group for group in groups if is_chosen(group, Chosen(**{**changed, "server": server.slug}))]
        assert server.total == len(of)
        assert server.enabled == sum("off" not in group.states for group in of)


@pytest.fixture
def servers(db: None) -> list[Server]:
    return [Server.objects.create(slug=slug, title=slug, kind=Server.Kind.FILE) for slug in ("mail", "files")]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(GROUPS, min_size=1, max_size=8), CHOSEN)
def test_the_database_finds_what_the_groups_count(servers: list[Server], groups: list[Group], chosen: Chosen) -> None:
    Tool.objects.all().delete()
    of = {server.slug: server for server in servers}
    tools = [tool_like(group, of[group.server], f"t{place}") for place, group in enumerate(groups)]
    found = {tool.name for tool in chosen_tools("", chosen)}
    assert found == {tool.name for tool, group in zip(tools, groups, strict=True) if is_chosen(group, chosen)}
    assert count(groups_of(""), chosen).found == len(found)


def tool_like(group: Group, server: Server, name: str) -> Tool:
    """A tool that is as its group says: the edited ones by an overlay over the category, tags and permission."""
    now = timezone.now()
    states = group.states
    tool = Tool.objects.create(
        server=server,
        name=name,
        capability=group.kind,
        category=group.category,
        tags=list(group.tags),
        permission=group.permission,
        own_description="Other words." if "edited" in states else None,
        own_tags=list(group.tags) if "edited" in states else None,
        enabled="off" not in states,
        searchable="unsearchable" not in states,
        suspicions=[{"kind": "order to the model" if "suspicious" in states else "hidden text"}],
        gone_at=now if "gone" in states else None,
        last_used_at=now - timedelta(days=31 if "unused" in states else 29),
        last_seen_at=now,
    )
    if "drifted" in states:
        Drift.objects.create(tool=tool, upstream={}, changes_meaning=True)
    return tool


def test_words_and_facets_narrow_together(servers: list[Server]) -> None:
    Tool.objects.create(server=servers[0], name="send", description="Send a letter", last_seen_at=timezone.now())
    Tool.objects.create(server=servers[1], name="save", description="Send to disk", last_seen_at=timezone.now())
    counts = count(groups_of("send letter"), Chosen(server="files"))
    assert counts.found == 0
    assert [(one.slug, one.total) for one in counts.servers] == [("mail", 1)]
