"""Agents: made, edited, deleted and looked at."""

from collections.abc import Callable

import pytest
from django.test import Client

from catalog.agents import agents_server, keep_agent
from catalog.models import Agent, Catalog, Tool
from catalog.roles import Role
from catalog.shaping import place_server
from playground.models import ChatModel, Run, Thread
from tests.catalog.pages import text_of
from tests.forms import send

ClientAs = Callable[[Role], Client]


@pytest.fixture
def curator(client_as: ClientAs) -> Client:
    return client_as(Role.CURATOR)


@pytest.fixture
def clerk(team: Catalog) -> Agent:
    agent = Agent(name="clerk", title="Clerk", description="Assists out.", instructions="You help.", catalog=team)
    keep_agent(agent)
    return agent


def filled(team: Catalog, **changes: str) -> dict[str, str]:
    form = {"title": "Trip desk", "description": "Plans trips.", "instructions": "Plan.", "turns": "5"}
    return {**form, "name": "", "catalog": str(team.pk), "chat_model": "", **changes}


def test_an_agent_is_made_and_becomes_a_tool(curator: Client, team: Catalog) -> None:
    page = curator.post("/agents/add/", filled(team), follow=True).content.decode()
    assert "Trip desk was saved" in page
    assert "agents__trip-desk" in page
    assert "No catalog holds the server of agents" in page
    assert Tool.objects.get(name="trip-desk").capability == "agent"
    assert Tool.objects.get(name="trip-desk").versions.get().by is not None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": ""}, "This field is required"),
        ({"description": ""}, "This field is required"),
        ({"instructions": ""}, "This field is required"),
        ({"name": "clerk"}, "There is an agent named clerk already"),
        ({"name": "Not A Name"}, "lower-case letters, digits and hyphens"),
        ({"name": "add"}, "Give a short name"),
        ({"title": "旅行"}, "Give a short name"),
        ({"turns": "0"}, "greater than or equal to 1"),
        ({"turns": "26"}, "less than or equal to 25"),
        ({"catalog": "999"}, "Select a valid choice"),
        ({"chat_model": "no/such"}, "Select a valid choice"),
        ({"description": "x" * 1_025}, "at most 1024 characters"),
    ],
)
def test_what_cannot_be_taken_is_said_beside_the_field(
    curator: Client, team: Catalog, clerk: Agent, changes: dict[str, str], said: str
) -> None:
    answer = curator.post("/agents/add/", filled(team, **changes))
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert Agent.objects.count() == 1


def test_an_edit_reaches_the_tool_and_keeps_the_name(curator: Client, team: Catalog, clerk: Agent) -> None:
    send(curator, "/agents/clerk/edit/", filled(team, name="other", description="Assists more."))
    assert Agent.objects.get().name == "clerk"
    assert Tool.objects.get(name="clerk").description == "Assists more."


def test_a_model_that_is_not_there_any_more_stays_chosen_and_is_told(
    curator: Client, team: Catalog, clerk: Agent
) -> None:
    model = ChatModel.objects.create(title="Large", name="some/large")
    send(curator, "/agents/clerk/edit/", filled(team, chat_model="some/large"))
    assert "Large" in text_of(curator, "/agents/clerk/")
    model.delete()
    assert "is not there" in text_of(curator, "/agents/clerk/")
    assert "some/large (not there now)" in text_of(curator, "/agents/clerk/edit/")


def test_a_deleted_agent_leaves_its_runs(curator: Client, team: Catalog, clerk: Agent) -> None:
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t", agent=clerk)
    assert "No agent yet" in curator.post("/agents/clerk/delete/", follow=True).content.decode()
    assert Run.objects.get(pk=run.pk).agent is None
    assert Tool.objects.get(name="clerk").gone_at is not None


def test_an_agent_that_can_call_itself_says_so(curator: Client, team: Catalog, clerk: Agent) -> None:
    assert "calls itself" not in text_of(curator, "/agents/")
    place_server(team, agents_server(), "everything")
    assert "calls itself" in text_of(curator, "/agents/")
    page = text_of(curator, "/agents/clerk/")
    assert "It can call itself" in page
    assert "Team agent" in page and "discoverable" in page


def test_the_catalog_of_an_agent_may_be_deleted_and_that_is_told(curator: Client, team: Catalog, clerk: Agent) -> None:
    team.delete()
    assert "no catalog" in text_of(curator, "/agents/")
    assert "Its catalog was deleted." in text_of(curator, "/agents/clerk/")


def test_the_server_of_agents_is_not_deleted_by_hand(curator: Client, clerk: Agent) -> None:
    page = curator.post("/servers/agents/delete/", follow=True).content.decode()
    assert "This server follows the agents." in page
    assert Tool.objects.filter(name="clerk").exists()
    assert "Open the agents" in page
    assert "Open the agent<" in text_of(curator, "/tools/agents/clerk/")


def test_the_admin_site_keeps_the_tool_in_step(client_as: ClientAs, team: Catalog, clerk: Agent) -> None:
    admin = client_as(Role.ADMIN)
    address = f"/admin/catalog/agent/{clerk.pk}/"
    send(admin, f"{address}change/", filled(team, description="Assists by the admin site."))
    assert Tool.objects.get(name="clerk").description == "Assists by the admin site."
    chosen = {"action": "delete_selected", "_selected_action": [str(clerk.pk)], "post": "yes"}
    admin.post("/admin/catalog/agent/", chosen)
    assert not Agent.objects.exists()
    assert Tool.objects.get(name="clerk").gone_at is not None


def test_a_viewer_looks_and_changes_nothing(client_as: ClientAs, clerk: Agent) -> None:
    viewer = client_as(Role.VIEWER)
    assert "/edit/" not in text_of(viewer, "/agents/clerk/")
    assert "New agent" not in text_of(viewer, "/agents/")
