"""A catalog made anew with all parts of another."""

from django.db import transaction

from catalog.auditing.recording import Act, record
from catalog.models import Catalog, CatalogServer, PolicyRule, PreDiscovered

_LONGEST_SLUG = 40


@transaction.atomic
def clone(catalog: Catalog) -> Catalog:
    """Servers with their filters, both lists, mode, engine, settings and policy, under a name that is free."""
    copy = Catalog.objects.get(pk=catalog.pk)
    copy.pk, copy._state.adding = None, True
    copy.slug = _free_slug(catalog.slug)
    copy.title = f"{catalog.title[:190]} (copy)"
    copy.save()
    for row in _rows(catalog):
        row.pk, row.catalog, row._state.adding = None, copy, True
        row.save()
    copy.excluded.set(catalog.excluded.all())
    record(Act.CATALOG_CLONED, copy, after={"from": catalog.slug})
    return copy


def _rows(catalog: Catalog) -> list[CatalogServer | PreDiscovered | PolicyRule]:
    return [*catalog.servers.all(), *catalog.pre_discovered.all(), *catalog.policy_rules.all()]


def _free_slug(slug: str) -> str:
    taken = set(Catalog.objects.values_list("slug", flat=True))
    endings = ("-copy", *(f"-copy-{number}" for number in range(2, len(taken) + 3)))
    wanted = (slug[: _LONGEST_SLUG - len(ending)].rstrip("-") + ending for ending in endings)
    return next(name for name in wanted if name not in taken)
