"""Agents as tools: each one's row is mirrored by a tool on the server of agents, with versions like any other's."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.recording import Act, audited
from catalog.importing import import_listing
from catalog.indexing import exposure_of
from catalog.models import Agent, Server, Tool
from catalog.sources.listing import Listing
from catalog.sources.tool_entry import ListedTool

SLUGS = ("agents", "pegboard-agents", "agents-of-pegboard")
"""What the server of agents may be called, should somebody else's server have the first."""
PARAMETERS = {
    "type": "object",
    "properties": {
        "task": {
            "type": "string",
            "minLength": 1,
            "maxLength": 20_000,
            "description": "What the agent is to do, with all that it needs to know: it sees nothing of this conversation",
        }
    },
    "required": ["task"],
    "additionalProperties": False,
}


@transaction.atomic
def keep_agent(agent: Agent, by: User | None = None) -> None:
    """Save the agent, and the tool that stands for it."""
    with audited(Act.AGENT_SAVED, agent, by):
        agent.save()
        _follow(by)


@transaction.atomic
def drop_agent(agent: Agent, by: User | None = None) -> None:
    """Delete the agent; its tool is gone from then on, and its history kept."""
    with audited(Act.AGENT_DELETED, agent, by):
        agent.delete()
        _follow(by)


def agent_tools() -> dict[str, Tool]:
    """The tools that stand for agents, by the agents' names; somebody may have deleted some."""
    tools = Tool.objects.select_related("server").filter(server__kind=Server.Kind.AGENTS).defer("files")
    return {tool.name: tool for tool in tools}


def callers_of_themselves(agents: Iterable[Agent]) -> frozenset[str]:
    """The names of those that their own catalog offers, or that of an agent offered there, and so on."""
    offered = {agent.name: _offered_by(agent) for agent in agents}
    return frozenset(name for name in offered if name in _reached_from(name, offered))


def _reached_from(start: str, offered: dict[str, frozenset[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = offered.get(waiting.pop(), frozenset()) - reached
        reached |= new
        waiting += new
    return reached


def _offered_by(agent: Agent) -> frozenset[str]:
    if agent.catalog is None:
        return frozenset()
    pool = exposure_of(agent.catalog).pool
    return frozenset(tool.upstream_name for tool in pool if tool.capability == "agent")


def _follow(by: User | None) -> None:
    listing = Listing(tuple(_listed(agent) for agent in Agent.objects.order_by("name")))
    import_listing(agents_server(), listing, by, accept_meaning=True)


def agents_server() -> Server:
    """The one server of that kind, made when it is first needed."""
    server = Server.objects.filter(kind=Server.Kind.AGENTS).first()
    if server is not None:
        return server
    taken = set(Server.objects.filter(slug__in=SLUGS).values_list("slug", flat=True))
    return Server.objects.create(
        slug=next(slug for slug in SLUGS if slug not in taken),
        title="Agents",
        description="Agents of this house: each does a whole task in a run of its own and answers with the outcome.",
        kind=Server.Kind.AGENTS,
    )


def _listed(agent: Agent) -> ListedTool:
    return ListedTool(
        name=agent.name,
        title=agent.title,
        description=agent.description,
        parameters=PARAMETERS,
        permission="execute",
        capability="agent",
    )
