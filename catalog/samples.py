"""Loading the sample that ships: its servers, their tools, its skills, agents and catalogs."""

from functools import cache
from typing import Any

from django.db import transaction

from catalog.agents import agents_server, keep_agent
from catalog.importing import import_listing
from catalog.models import Agent, Catalog, PolicyRule, Server, Tool
from catalog.policy import PHASES
from catalog.policy_editing import add_rule
from catalog.publishing.acts import publish_first
from catalog.shaping import exclude, place_server, show_upfront
from catalog.sources import sample

AGENTS = "agents"
"""What the sample's catalogs call the server of agents, whatever it is called here."""


@cache
def sample_slugs() -> frozenset[str]:
    """The short names of the servers that load_sample makes."""
    return frozenset((AGENTS, sample.skills().slug, *(server.slug for server in sample.servers())))


@transaction.atomic
def load_sample() -> int:
    """Load what is not there yet, and return how many servers that were. What exists is left as it is."""
    before = Server.objects.count()
    for server in sample.servers():
        _load_server(server, Server.Kind.BUILTIN)
    _load_server(sample.skills(), Server.Kind.SKILLS)
    new = [catalog for catalog in sample.catalogs() if _is_new(catalog)]
    for agent in sample.agents():
        _load_agent(agent)
    for catalog in new:
        publish_first(_shape(catalog))
    return Server.objects.count() - before


def _load_server(server: sample.SampleServer, kind: Server.Kind) -> None:
    row, is_new = Server.objects.get_or_create(
        slug=server.slug, defaults={"title": server.title, "description": server.description, "kind": kind}
    )
    if is_new:
        import_listing(row, server.listing, accept_meaning=True)


def _load_agent(agent: sample.SampleAgent) -> None:
    if Agent.objects.filter(name=agent.name).exists():
        return
    keep_agent(
        Agent(
            name=agent.name,
            title=agent.title,
            description=agent.description,
            instructions=agent.instructions,
            catalog=Catalog.objects.get(slug=agent.catalog),
            turns=agent.turns,
        )
    )


def _is_new(catalog: sample.SampleCatalog) -> bool:
    """Whether it was not there; now its row is, for agents to name it."""
    told: dict[str, Any] = {"title": catalog.title, "description": catalog.description}
    told |= {"mode_options": catalog.mode_options, "context_to_try": catalog.context_to_try}
    told |= {"mode": catalog.mode} if catalog.mode else {}
    told |= {} if catalog.ask_person is None else {"ask_person": [*catalog.ask_person]}
    _, is_new = Catalog.objects.get_or_create(slug=catalog.slug, defaults=told)
    return is_new


def _shape(catalog: sample.SampleCatalog) -> Catalog:
    row = Catalog.objects.get(slug=catalog.slug)
    for part in catalog.servers:
        choice = "patterns" if part.patterns else "everything"
        server = agents_server() if part.server == AGENTS else Server.objects.get(slug=part.server)
        place_server(row, server, choice, part.patterns)
    for key in catalog.pre_discovered:
        show_upfront(row, _tool(key))
    for key in catalog.excluded:
        exclude(row, _tool(key))
    for rule in catalog.policy:
        add_rule(_denying(row, rule))
    return row


def _denying(catalog: Catalog, rule: sample.SampleRule) -> PolicyRule:
    conditions = [{"key": key, "values": [*values], "is_not": False} for key, values in rule.when.items()]
    return PolicyRule(catalog=catalog, pattern=rule.pattern, phases=[*PHASES], conditions=conditions, note=rule.note)


def _tool(key: str) -> Tool:
    server, _, name = key.partition("/")
    return Tool.objects.get(server__slug=server, name=name)
