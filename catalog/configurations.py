"""From a configuration of MCP servers that was brought to servers that wait for an admin: kept, told, added."""

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from catalog.auditing.facts import of_server
from catalog.auditing.recording import Act, record
from catalog.models import Configuration, Server, Tool
from catalog.sources.addresses import url_problem
from catalog.sources.headers import header_problems
from catalog.sources.listing import Problem
from catalog.sources.mcp_server_entry import FoundServer
from catalog.sources.mcp_servers import FoundServers
from catalog.sources.stdio_command import StdioCommand, command_problems

SLUG_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Proposal:
    """A server that was found, the short name proposed for it, and what stands in its way.

    `twin` is a server here that starts or reaches the same.
    """

    found: FoundServer
    slug: str
    wanted_slug: str
    twin: Server | None

    @property
    def is_renamed(self) -> bool:
        return self.slug != self.wanted_slug

    @property
    def is_proposed(self) -> bool:
        """Whether it is ticked from the start."""
        return self.twin is None and not self.found.is_off


def keep(found: FoundServers, source: str, by: User) -> Configuration:
    """Until its person has chosen; what lies there longer than a day goes."""
    Configuration.drop_old()
    content: Any = asdict(found)
    return Configuration.objects.create(by=by, source=source[:300], content=content)


def kept(configuration: Configuration) -> FoundServers:
    """What was found; nothing where the key to it is gone."""
    content = configuration.content
    return FoundServers(
        servers=tuple(_server(**fields) for fields in content.get("servers", ())),
        inputs=content.get("inputs", {}),
        problems=tuple(Problem(**fields) for fields in content.get("problems", ())),
    )


def proposals(found: FoundServers) -> list[Proposal]:
    """One a server, with short names that are free and differ from each other."""
    taken = set(Server.objects.values_list("slug", flat=True))
    here = {_reach_of(server): server for server in Server.objects.exclude(transport=Server.Transport.NONE)}
    rows = []
    for server in found.servers:
        wanted = slugify(server.name)[:SLUG_LENGTH].strip("-") or "server"
        slug = free_slug(wanted, taken)
        taken.add(slug)
        rows.append(Proposal(server, slug, wanted, here.get(_reach_of(server))))
    return rows


def free_slug(wanted: str, taken: Collection[str]) -> str:
    """The name itself, or with a number behind it."""
    if wanted not in taken:
        return wanted
    numbered = (f"{wanted[: SLUG_LENGTH - 1 - len(str(number))]}-{number}" for number in itertools.count(2))
    return next(slug for slug in numbered if slug not in taken)


def problems_of(server: FoundServer) -> list[str]:
    """Why a server cannot be added as it stands, as plain sentences."""
    if server.transport == "stdio":
        return command_problems(StdioCommand(server.command, server.args, server.env, server.cwd))
    problem = url_problem(server.url, allow_private=True)
    return [*([problem] if problem else []), *header_problems(server.headers)]


def name_collisions(slugs: Collection[str]) -> Iterator[tuple[str, str]]:
    """Tools here that models call by a name which a tool of such a server would get: short name, and name of the tool."""
    plain = Tool.objects.here().filter(server__name_rule=Server.NameRule.AS_IS)
    for slug in slugs:
        for name in plain.filter(name__startswith=f"{slug}__").values_list("name", flat=True)[:5]:
            yield slug, name


@transaction.atomic
def add(servers: Mapping[str, FoundServer]) -> list[Server]:
    """Servers by their short names. None is started or reached before an admin approved it."""
    added = [_add(slug, found) for slug, found in servers.items()]
    for server in added:
        record(Act.SERVER_ADDED, server, after=of_server(server))
    return added


def _add(slug: str, found: FoundServer) -> Server:
    env: Any = dict(found.env)
    headers: Any = dict(found.headers)
    transport = Server.Transport.STDIO if found.transport == "stdio" else Server.Transport.HTTP
    return Server.objects.create(
        slug=slug,
        title=found.name[:200],
        description=found.description,
        kind=Server.Kind.MCP,
        transport=transport,
        command=found.command,
        args=list(found.args),
        cwd=found.cwd,
        env=env,
        url=found.url,
        headers=headers,
    )


def _reach_of(server: Server | FoundServer) -> tuple[str, ...]:
    return (server.command, *server.args, server.url)


def _server(**fields: object) -> FoundServer:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return FoundServer(**{**fields, **lists})  # type: ignore[arg-type]
