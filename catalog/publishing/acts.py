"""Publishing the draft of a catalog, publishing an old version again, and who decides when: a person, or each change."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from catalog.auditing.recording import Act, record
from catalog.editions import PUBLISHED, Edition
from catalog.indexing import make_ready
from catalog.models import Catalog, CatalogVersion, VersionContent
from catalog.publishing.drafts import Draft, draft_of
from catalog.publishing.keeping import keep
from catalog.publishing.summary import Side, Summary, side_of, side_of_draft, summarise


class MovedError(Exception):
    """What is in force, or the draft, is not as it was when the summary was shown."""


class NothingToPublishError(Exception):
    """The version in force holds the same already."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing would change for an agent. `latest` is the version in force, None before the first.

    `token` names both what is in force and what would be: whoever publishes says what they saw.
    """

    latest: CatalogVersion | None
    token: str
    summary: Summary
    changes: bool

    @property
    def next_number(self) -> int:
        return self.latest.number + 1 if self.latest else 1


def latest_version(catalog: Catalog) -> CatalogVersion | None:
    """The one in force."""
    return catalog.versions.select_related("content", "by").order_by("-number").first()


def plan_publishing(catalog: Catalog) -> Plan:
    latest, draft = latest_version(catalog), draft_of(catalog)
    return _plan(latest, draft.content.hash, side_of_draft(draft))


def plan_rolling_back(version: CatalogVersion) -> Plan:
    return _plan(latest_version(version.catalog), version.content.hash, side_of(version))


def publish(
    catalog: Catalog, by: User, note: str, token: str, *, from_now_on_by_itself: bool = False
) -> CatalogVersion:
    """The draft as the next version. Raises MovedError where the token is not that of the plan now, and NothingToPublishError.

    With `from_now_on_by_itself` each later change reaches agents at once; then nothing need differ now.
    """
    draft = draft_of(catalog)
    with transaction.atomic():
        latest = _checked(catalog, draft.content.hash, token)
        is_same = latest is not None and latest.content.hash == draft.content.hash
        if is_same and not from_now_on_by_itself:
            raise NothingToPublishError
        _set_publishes_itself(catalog, from_now_on_by_itself or catalog.publishes_itself)
        made = latest if latest and is_same else _add(catalog, keep(draft), latest, by=by, note=note)
        record(Act.CATALOG_PUBLISHED, catalog, _told(latest), _told(made), by=by)
    _make_ready(made, draft)
    return made


def roll_back(version: CatalogVersion, by: User, note: str, token: str) -> CatalogVersion:
    """The version once more, under the next number. From then on the catalog does not publish itself.

    Raises MovedError where another was published since, and NothingToPublishError where the one in force holds the same.
    """
    catalog, content = version.catalog, version.content
    with transaction.atomic():
        latest = _checked(catalog, content.hash, token)
        if latest is not None and latest.content.hash == content.hash:
            raise NothingToPublishError
        _set_publishes_itself(catalog, False)
        made = _add(catalog, content, latest, by=by, note=note, restores=version.number)
        record(Act.CATALOG_ROLLED_BACK, catalog, _told(latest), {**_told(made), "restores": version.number}, by=by)
    _make_ready(made)
    return made


def publish_first(catalog: Catalog, by: User | None = None) -> CatalogVersion:
    """A new catalog as it was made: version 1."""
    return publish_as_is(catalog, by)


def publish_as_is(catalog: Catalog, by: User | None = None) -> CatalogVersion:
    """The version that holds what the draft holds: the one in force, or a new one. For catalogs that publish themselves."""
    draft, latest = draft_of(catalog), latest_version(catalog)
    if latest is not None and latest.content.hash == draft.content.hash:
        return latest
    with transaction.atomic():
        latest = _locked(catalog)
        if latest is not None and latest.content.hash == draft.content.hash:
            return latest
        return _add(catalog, keep(draft), latest, by=by)


def gather(catalog: Catalog) -> CatalogVersion:
    """From now on changes gather in the draft; what agents get at this moment stays in force."""
    version, draft = publish_as_is(catalog), draft_of(catalog)
    with transaction.atomic():
        _set_publishes_itself(catalog, False)
        record(Act.CATALOG_GATHERS, catalog, after=_told(version))
    _make_ready(version, draft if draft.content.hash == version.content.hash else None)
    return version


def unpublished(catalog: Catalog) -> Summary | None:
    """What differs between the version in force and the draft; None where nothing does, or nothing was ever published."""
    latest = latest_version(catalog)
    draft = draft_of(catalog)
    if latest is None or latest.content.hash == draft.content.hash:
        return None
    return summarise(side_of(latest), side_of_draft(draft))


def _told(version: CatalogVersion | None) -> dict[str, object]:
    """What the audit is told of a version."""
    if version is None:
        return {}
    return {
        "version": version.number,
        "content": version.content.hash,
        "publishes itself": version.catalog.publishes_itself,
    }


def _make_ready(version: CatalogVersion, draft: Draft | None = None) -> None:
    """Of a catalog that publishes itself, agents search the draft's index."""
    if not version.catalog.publishes_itself:
        edition = Edition(version.catalog, PUBLISHED, version, is_live=False)
        make_ready(edition, draft.exposure if draft else None)


def _plan(latest: CatalogVersion | None, wanted: str, side: Side) -> Plan:
    changes = latest is None or latest.content.hash != wanted
    return Plan(latest, _token(latest, wanted), summarise(side_of(latest), side), changes)


def _token(latest: CatalogVersion | None, wanted: str) -> str:
    return f"{latest.number if latest else 0}-{wanted[:20]}"


def _checked(catalog: Catalog, wanted: str, token: str) -> CatalogVersion | None:
    latest = _locked(catalog)
    if _token(latest, wanted) != token:
        raise MovedError
    return latest


def _locked(catalog: Catalog) -> CatalogVersion | None:
    """The version in force, while no other request can publish."""
    Catalog.objects.select_for_update().get(pk=catalog.pk)
    return latest_version(catalog)


def _set_publishes_itself(catalog: Catalog, by_itself: bool) -> None:
    if catalog.publishes_itself != by_itself:
        catalog.publishes_itself = by_itself
        catalog.save(update_fields=["publishes_itself", "updated_at"])


def _add(
    catalog: Catalog,
    content: VersionContent,
    latest: CatalogVersion | None,
    *,
    by: User | None,
    note: str = "",
    restores: int | None = None,
) -> CatalogVersion:
    return CatalogVersion.objects.create(
        catalog=catalog, number=latest.number + 1 if latest else 1, content=content, by=by, note=note, restores=restores
    )
