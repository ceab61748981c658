"""In which catalog an edit of a tool is tried where nobody says."""

from django.db.models import Count

from catalog.models import Catalog, Tool


def catalogs_of(tool: Tool) -> list[Catalog]:
    """Those with the tool's server: those with most suites first, then by when they were made."""
    rows = Catalog.objects.filter(servers__server=tool.server_id)
    return list(rows.annotate(judged=Count("suites", distinct=True)).order_by("-judged", "pk"))


def catalog_named(slug: str, among: list[Catalog]) -> Catalog | None:
    """The one of that name, else the first."""
    return next((catalog for catalog in among if catalog.slug == slug), among[0] if among else None)
