"""Which edition of a catalog an address, a program or a run asks for."""

from dataclasses import replace

from catalog.editions import DRAFT, PUBLISHED, Edition, draft
from catalog.models import Catalog, CatalogVersion
from catalog.publishing.acts import latest_version, publish_as_is

LONGEST_NUMBER = 9


class NoSuchVersionError(LookupError):
    """There is no such edition; the message says, as a sentence, what there is."""


def edition_of(catalog: Catalog, asked: str) -> Edition:
    """`asked` is "published" (or nothing), "draft", or the number of a version. Raises NoSuchVersionError."""
    if asked in ("", PUBLISHED):
        return published(catalog)
    if asked == DRAFT:
        return draft(catalog)
    return at_version(version_numbered(catalog, asked))


def edition_for_agent(catalog: Catalog, asked: str) -> Edition:
    """As `edition_of`. What an agent gets has a number from then on, also where the catalog publishes itself."""
    edition = edition_of(catalog, asked)
    if edition.asked == PUBLISHED and edition.is_live:
        return replace(edition, version=publish_as_is(catalog))
    return edition


def published(catalog: Catalog) -> Edition:
    """What agents get; where the catalog publishes itself, its draft."""
    latest = None if catalog.publishes_itself else latest_version(catalog)
    return Edition(catalog, PUBLISHED) if latest is None else Edition(catalog, PUBLISHED, latest, is_live=False)


def at_version(version: CatalogVersion) -> Edition:
    return Edition(version.catalog, str(version.number), version, is_live=False)


def version_numbered(catalog: Catalog, number: str) -> CatalogVersion:
    """Raises NoSuchVersionError."""
    rows = catalog.versions.select_related("content", "by", "catalog")
    is_number = number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER
    found = rows.filter(number=int(number)).first() if is_number else None
    if found is None:
        raise NoSuchVersionError(f"version is published, draft, or the number of a version of {catalog.slug}.")
    return found
