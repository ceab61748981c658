"""What the audit tells of a row: the facts that matter, by name. Secrets are compared, and told by name only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from catalog.catalog_yaml.documents import document_of
from catalog.models import Agent, Catalog, Server, Suite, Tool
from catalog.redaction import MASK, Redactor
from catalog.roles import role_of

MOST_TEXT = 4_000
"""Characters of one text that are kept."""
MOST_NAMES = 200
"""Entries of one list that are kept."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is known to differ from another, and kept nowhere."""

    value: Any


def nothing(_: Any) -> dict[str, Any]:
    """Of rows that are told by their names alone."""
    return {}


def of_server(server: Server) -> dict[str, Any]:
    names = ["slug", "title", "description", "transport", "command", "args", "cwd", "url", "document_url", "name_rule"]
    names += ["language", "session_scope", "sync_every", "enabled", "approved_hash"]
    return {
        **{name: getattr(server, name) for name in names},
        "config_hash": server.config_hash,
        **{f"variable {name}": Secret(value) for name, value in server.env.items()},
        **{f"header {name}": Secret(value) for name, value in server.headers.items()},
        **{f"credential {name}": Secret(value) for name, value in server.credentials.items()},
    }


def of_tool(tool: Tool) -> dict[str, Any]:
    """What its source says of it and what people here do."""
    return tool.upstream() | tool.overlay() | {"suspicions_seen_at": tool.suspicions_seen_at}


def of_catalog(catalog: Catalog) -> dict[str, Any]:
    return {**document_of(catalog), "gate": catalog.gate}


def of_suite(suite: Suite) -> dict[str, Any]:
    """What it is; queries and judgements keep themselves who brought them, and when."""
    catalog = suite.catalog.slug if suite.catalog else None
    return {"title": suite.title, "description": suite.description, "catalog": catalog}


def of_agent(agent: Agent) -> dict[str, Any]:
    names = ("title", "description", "instructions", "chat_model", "turns")
    return {**{name: getattr(agent, name) for name in names}, "catalog": agent.catalog.slug if agent.catalog else None}


def of_person(person: User) -> dict[str, Any]:
    return {"role": role_of(person).word, "active": person.is_active}


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of both, the facts that differ; of long lists, only the entries that the other lacks."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    old = {name: _apart(before[name], after.get(name)) for name in names if name in before}
    new = {name: _apart(after[name], before.get(name)) for name in names if name in after}
    return old, new


def written(facts: Mapping[str, Any]) -> str:
    """Facts as the JSON text that is kept: secrets masked, long texts and lists cut. Empty where there are none."""
    if not facts:
        return ""
    return json.dumps(_kept(Redactor().json(_masked(facts))), sort_keys=True, default=str)


def _apart(value: Any, other: Any) -> Any:
    if isinstance(value, list) and isinstance(other, list) and max(len(value), len(other)) > MOST_NAMES:
        return [one for one in value if one not in other]
    return value


def _masked(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: MASK if isinstance(value, Secret) else value for name, value in facts.items()}


def _kept(value: Any) -> Any:
    match value:
        case str() if len(value) > MOST_TEXT:
            return f"{value[:MOST_TEXT]}… and {len(value) - MOST_TEXT:,} characters more"
        case list() | tuple() if len(value) > MOST_NAMES:
            return [*map(_kept, value[:MOST_NAMES]), f"… and {len(value) - MOST_NAMES:,} more"]
        case list() | tuple():
            return [_kept(one) for one in value]
        case dict():
            return {name: _kept(one) for name, one in value.items()}
    return value
