"""Agents and the tools that stand for them."""

import pytest

from catalog.agents import agent_tools, agents_server, callers_of_themselves, drop_agent, keep_agent
from catalog.indexing import exposure_of
from catalog.models import Agent, Catalog, Server, Tool
from catalog.shaping import place_server


def agent(name: str, catalog: Catalog | None) -> Agent:
    made = Agent(name=name, title=name.title(), description=f"Does {name}.", instructions="Do.", catalog=catalog)
    keep_agent(made)
    return made


def test_a_saved_agent_is_a_tool_that_takes_a_task(team: Catalog) -> None:
    agent("clerk", team)
    place_server(team, agents_server(), "everything")
    spec = exposure_of(team).pool.by_name["agents__clerk"]
    assert (spec.capability, spec.description) == ("agent", "Does clerk.")
    assert spec.parameters["required"] == ["task"]


def test_its_tool_follows_it_and_is_gone_with_it(team: Catalog) -> None:
    clerk = agent("clerk", team)
    clerk.description = "Does more."
    keep_agent(clerk)
    tool = Tool.objects.get(name="clerk")
    assert (tool.description, tool.versions.count()) == ("Does more.", 2)
    drop_agent(clerk)
    tool.refresh_from_db()
    assert tool.gone_at is not None
    agent("clerk", team)
    assert Tool.objects.here().get(name="clerk").description == "Does clerk."


def test_the_server_of_agents_makes_way_for_one_of_its_name(team: Catalog) -> None:
    Server.objects.create(slug="agents", title="Mine", kind=Server.Kind.FILE)
    made = agent("clerk", team)
    tool = agent_tools()[made.name]
    assert tool.server.slug == "pegboard-agents"
    assert agents_server() == agents_server() == tool.server


@pytest.mark.parametrize(
    ("offers", "cycles"),
    [
        ({"a": "", "b": "a"}, set()),
        ({"a": "a"}, {"a"}),
        ({"a": "b", "b": "a", "c": "a"}, {"a", "b"}),
        ({"a": "b", "b": "c", "c": "a"}, {"a", "b", "c"}),
    ],
)
def test_agents_that_can_call_themselves_are_known(db: None, offers: dict[str, str], cycles: set[str]) -> None:
    catalogs = {name: Catalog.objects.create(slug=name, title=name) for name in offers}
    agents = [agent(name, catalogs[name]) for name in offers]
    for name, offered in offers.items():
        if offered:
            place_server(catalogs[name], agents_server(), "patterns", [offered])
    assert callers_of_themselves(agents) == cycles


def test_an_agent_without_a_catalog_calls_nobody(db: None) -> None:
    assert callers_of_themselves([agent("clerk", None)]) == frozenset()
