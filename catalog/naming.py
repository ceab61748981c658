"""Which names of a server's tools would meet others in a catalog, by each rule of how models call them."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.models import Catalog, Server, Tool

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Meeting:
    """Names that two tools of one catalog would have: the tools of whichever server comes first keep them."""

    rule: str
    catalog: Catalog
    names: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        return self.names[:SHOWN]

    @property
    def rest(self) -> int:
        return len(self.names) - len(self.shown)


def meetings(server: Server, rules: dict[str, str]) -> list[Meeting]:
    """For each of the rules (with its words) and each catalog that has the server, where there are any."""
    own = list(server.tools.here().values_list("name", flat=True))
    found = []
    for catalog in Catalog.objects.filter(servers__server=server):
        others = set(_other_names(catalog, server))
        for rule, words in rules.items():
            called = Server(slug=server.slug, name_rule=rule)
            if names := tuple(sorted(others.intersection(map(called.exposed_name, own)))):
                found.append(Meeting(words, catalog, names))
    return found


def _other_names(catalog: Catalog, server: Server) -> Iterator[str]:
    others = {row.pk: row for row in Server.objects.filter(in_catalogs__catalog=catalog).exclude(pk=server.pk)}
    for pk, name in Tool.objects.here().filter(server__in=others).values_list("server_id", "name").iterator():
        yield others[pk].exposed_name(name)
