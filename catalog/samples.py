"""Loading the sample that ships: its servers, their tools and its catalogs."""

from django.db import transaction

from catalog.importing import import_listing
from catalog.models import Catalog, Server, Tool
from catalog.shaping import exclude, place_server, show_upfront
from catalog.sources import sample


@transaction.atomic
def load_sample() -> int:
    """Load what is not there yet, and return how many servers that were. What exists is left as it is."""
    known = set(Server.objects.values_list("slug", flat=True))
    new = [server for server in sample.servers() if server.slug not in known]
    for server in new:
        row = Server.objects.create(
            slug=server.slug, title=server.title, description=server.description, kind=Server.Kind.BUILTIN
        )
        import_listing(row, server.listing, accept_meaning=True)
    for catalog in sample.catalogs():
        _load_catalog(catalog)
    return len(new)


def _load_catalog(catalog: sample.SampleCatalog) -> None:
    row, is_new = Catalog.objects.get_or_create(
        slug=catalog.slug, defaults={"title": catalog.title, "description": catalog.description}
    )
    if not is_new:
        return
    for part in catalog.servers:
        choice = "patterns" if part.patterns else "everything"
        place_server(row, Server.objects.get(slug=part.server), choice, part.patterns)
    for key in catalog.pre_discovered:
        show_upfront(row, _tool(key))
    for key in catalog.excluded:
        exclude(row, _tool(key))


def _tool(key: str) -> Tool:
    server, _, name = key.partition("/")
    return Tool.objects.get(server__slug=server, name=name)
