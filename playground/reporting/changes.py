"""What changed of a catalog in a period: its versions, its servers, what sources changed of its tools, and what people edited."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q, QuerySet

from catalog.models import Catalog, CatalogVersion, Drift, Tool, ToolVersion
from catalog.publishing.summary import Summary, side_of, summarise
from playground.reporting.counted import midnight
from playground.reporting.period import Period

MOST_VERSIONS = 6
"""Versions whose changes are worked out; the others are counted."""
MOST_TOLD = 8


@dataclass(frozen=True, slots=True)
class Edited:
    """A tool that people edited so many times, the last time `at`."""

    tool: Tool
    times: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Changes:
    """`versions` are the latest, each with what it changed of the one before it. Servers are told by their short names.

    `drifts` are the latest changes of sources that waited for a person, `drift_states` counts all by how they stand now.
    """

    version_count: int
    versions: tuple[tuple[CatalogVersion, Summary], ...]
    servers_added: tuple[str, ...]
    servers_gone: tuple[str, ...]
    drift_states: Mapping[str, int]
    drifts: tuple[Drift, ...]
    edits: int
    edited: tuple[Edited, ...]
    edited_count: int


def changes_in(catalog: Catalog, period: Period) -> Changes:
    start, end = midnight(period.since), midnight(period.until + timedelta(days=1))
    within = catalog.versions.filter(at__gte=start, at__lt=end).select_related("by", "content", "catalog")
    versions = [(version, _summary(version)) for version in within[:MOST_VERSIONS]]
    added, gone = _servers(catalog, start, end)
    drifts = Drift.objects.filter(tool__server__in_catalogs__catalog=catalog).filter(
        Q(found_at__gte=start, found_at__lt=end) | Q(decided_at__gte=start, decided_at__lt=end)
    )
    edits = ToolVersion.objects.filter(layer=ToolVersion.Layer.OVERLAY, tool__server__in_catalogs__catalog=catalog)
    edits = edits.filter(at__gte=start, at__lt=end)
    return Changes(
        version_count=within.count(),
        versions=tuple(versions),
        servers_added=added,
        servers_gone=gone,
        drift_states=Counter(drifts.values_list("state", flat=True)),
        drifts=tuple(drifts.select_related("tool__server").order_by("-found_at", "-pk")[:MOST_TOLD]),
        edits=edits.count(),
        edited=_edited(edits),
        edited_count=edits.order_by().values("tool").distinct().count(),
    )


def _summary(version: CatalogVersion) -> Summary:
    before = version.catalog.versions.filter(number=version.number - 1).select_related("content").first()
    return summarise(side_of(before), side_of(version))


def _servers(catalog: Catalog, start: datetime, end: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those that came and went between the version in force at the start and that at the end; none without the first."""
    versions = catalog.versions.select_related("content")
    before = versions.filter(at__lt=start).first() or versions.filter(at__lt=end).last()
    after = versions.filter(at__lt=end).first()
    was, now = _named(before), _named(after)
    return tuple(sorted(now - was)), tuple(sorted(was - now))


def _named(version: CatalogVersion | None) -> set[str]:
    return {row["server"] for row in version.content.settings["servers"]} if version else set()


def _edited(edits: QuerySet[ToolVersion]) -> tuple[Edited, ...]:
    rows = edits.order_by().values("tool").annotate(times=Count("pk"), last=Max("at")).order_by("-last")[:MOST_TOLD]
    tools = Tool.objects.select_related("server").in_bulk([row["tool"] for row in rows])
    return tuple(Edited(tools[row["tool"]], row["times"], row["last"]) for row in rows)
