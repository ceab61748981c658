"""The servers of a configuration from the command line: which would be added, which not and why, and adding them.

Values that it leaves open are taken from the environment: `${env:NAME}` and `${NAME}` by their names, `${input:some-key}` as `SOME_KEY`.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from catalog.configurations import Proposal, add, name_collisions, problems_of, proposals
from catalog.models import Server
from catalog.sources.mcp_server_entry import FoundServer
from catalog.sources.mcp_servers import FoundServers
from catalog.sources.placeholders import Asked, filled, keys_in

_ODD = re.compile(r"[^A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class ServersPlan:
    """Servers that would be added, by short name, and what is to be said of each of the others and of these."""

    added: dict[str, FoundServer] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def apply(self) -> list[Server]:
        return add(self.added)


def plan_servers(found: FoundServers, environment: Mapping[str, str], only: Collection[str] = ()) -> ServersPlan:
    """Without `only`, all but those that are switched off in the file or here already."""
    plan = ServersPlan()
    values = {asked.key: value for asked in found.asked if (value := environment.get(variable(asked), asked.default))}
    for proposal in proposals(found):
        whole = filled(proposal.found, values)
        reason = next(_reasons(proposal, whole, found.asked, only), None)
        if reason is None:
            plan.added[proposal.slug] = whole
        else:
            plan.left_out[proposal.found.name] = reason
    return plan


def unknown_names(found: FoundServers, only: Collection[str]) -> list[str]:
    """Those of `only` that no server of the configuration has, neither as its name nor as the short name made of it."""
    known = {name for proposal in proposals(found) for name in (proposal.found.name, proposal.wanted_slug)}
    return [name for name in only if name not in known]


def variable(asked: Asked) -> str:
    """The variable of the environment that holds a value."""
    return _ODD.sub("_", asked.label.upper()) if asked.key.startswith("input:") else asked.label


def _reasons(proposal: Proposal, whole: FoundServer, asked: Collection[Asked], only: Collection[str]) -> Iterator[str]:
    name = proposal.found.name
    if only and not {name, proposal.wanted_slug} & set(only):
        yield "it is not among those named"
    if not only and proposal.found.is_off:
        yield "it is switched off in the file"
    if not only and proposal.twin:
        yield f"{proposal.twin.slug} is this server already"
    open_keys, secret_keys = keys_in(whole.open_texts), keys_in(whole.secret_texts)
    if missing := [variable(one) for one in asked if one.key in (*open_keys, *secret_keys)]:
        yield f"set {', '.join(missing)} in the environment"
    secret = [one.label for one in asked if one.is_secret and one.key in keys_in(proposal.found.open_texts)]
    if secret:
        yield f"{secret[0]} is a secret and would stand in its command or address, which people see"
    yield from problems_of(whole)
    for _, tool in name_collisions([proposal.slug]):
        yield f"a tool here is called {tool} already"
