"""From rows to what a catalog exposes. After an edit of tools only the rows that may have changed are read again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Sum
from django.utils import timezone

from catalog.batches import BATCH
from catalog.exposure import Candidate, Exposure, expose, reworded
from catalog.kept_specs import spec_of
from catalog.models import Catalog, Server, Tool

OVERLAP = timedelta(seconds=20)
"""An edit made so long before the rows were read may have been committed after: as long as transactions wait for others."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What decides what a catalog offers, in figures and keys that are quick to read.

    `tools` and `sum` are the number of tools and the sum of their keys, `last` and `server` the times of the last edits.
    """

    catalog: int
    as_program: bool
    tools: int
    sum: int | None
    last: datetime | None
    server: datetime | None
    filters: tuple[tuple[Any, ...], ...]
    chosen: tuple[tuple[int, int], ...]
    excluded: tuple[int, ...]

    @property
    def revision(self) -> str:
        return hashlib.sha256(repr(self).encode()).hexdigest()[:20]

    @property
    def of_tools(self) -> tuple[object, ...]:
        """What stays while no tool comes, goes or moves: which tools there are, and their servers in order."""
        return self.catalog, self.tools, self.sum, self.server, [(server, place) for server, place, *_ in self.filters]


@dataclass(frozen=True, slots=True)
class CatalogRows:
    """A catalog's rows as they were read: the candidates by the key of their row, in order, and what they make."""

    seen: Seen
    candidates: Mapping[int, Candidate]
    exposure: Exposure
    read_at: datetime = field(compare=False)

    @property
    def revision(self) -> str:
        return self.seen.revision


def seen_of(catalog: Catalog) -> Seen:
    tools = Tool.objects.filter(server__in_catalogs__catalog=catalog)
    seen = tools.aggregate(tools=Count("id"), sum=Sum("id"), last=Max("updated_at"), server=Max("server__updated_at"))
    return Seen(
        catalog=catalog.pk,
        as_program=catalog.filters_as_program,
        filters=tuple(sorted(catalog.servers.values_list("server_id", "position", "everything", "patterns", "picked"))),
        chosen=tuple(catalog.pre_discovered.values_list("tool_id", "position")),
        excluded=tuple(sorted(catalog.excluded.values_list("id", flat=True))),
        **seen,
    )


def read_rows(catalog: Catalog, seen: Seen, before: CatalogRows | None = None) -> CatalogRows:
    """The rows as they are now; `before` saves reading those that cannot have changed since."""
    if before is not None and before.seen.of_tools == seen.of_tools:
        followed = _followed(catalog, seen, before)
        if followed is not None:
            return followed
    now = timezone.now()
    candidates = candidates_of(catalog)
    return CatalogRows(seen, candidates, exposed(catalog, candidates), now)


def candidates_of(catalog: Catalog) -> dict[int, Candidate]:
    """The tools of a catalog's servers by the keys of their rows, in the order of the servers, then by name."""
    return candidates_from(catalog, [row.server for row in catalog.servers.select_related("server")])


def candidates_from(catalog: Catalog, servers_in_order: Sequence[Server]) -> dict[int, Candidate]:
    """The tools of these servers, whether the catalog has them or not; what it excludes is."""
    excluded = set(catalog.excluded.values_list("id", flat=True))
    servers = {server.pk: server for server in servers_in_order}
    found: dict[int, dict[int, Candidate]] = {pk: {} for pk in servers}
    rows = Tool.objects.filter(server__in=servers).for_specs().prefetch_related(None).order_by("server_id", "name")
    for tool in rows.iterator(chunk_size=BATCH):
        tool.server = servers[tool.server_id]
        found[tool.server_id][tool.pk] = candidate(tool, tool.pk in excluded)
    return {pk: one for of_server in found.values() for pk, one in of_server.items()}


def candidate(tool: Tool, excluded: bool) -> Candidate:
    return Candidate(
        spec=spec_of(tool),
        gone=tool.gone_at is not None,
        server_enabled=tool.server.enabled,
        enabled=tool.enabled,
        suspicious=tool.must_be_looked_at,
        excluded=excluded,
    )


def pre_discovered_keys(catalog: Catalog) -> list[str]:
    """The keys of the tools that the catalog shows from the start, in their order."""
    return [str(row.tool) for row in catalog.pre_discovered.select_related("tool__server")]


def exposed(catalog: Catalog, candidates: Mapping[int, Candidate]) -> Exposure:
    """What the catalog exposes of these candidates, which are those of its rows."""
    return expose(candidates.values(), catalog.selection(), pre_discovered_keys(catalog))


def _followed(catalog: Catalog, seen: Seen, before: CatalogRows) -> CatalogRows | None:
    """The rows after edits of tools that were there before, and of the catalog; None if others came or one has another name."""
    now, since = timezone.now(), before.read_at - OVERLAP
    edited = Tool.objects.filter(server__in_catalogs__catalog=catalog, updated_at__gte=since).for_specs()
    found = _as_excluded(seen, before) | {tool.pk: candidate(tool, tool.pk in seen.excluded) for tool in edited}
    changed = {pk: new for pk, new in found.items() if not _is_same(before.candidates.get(pk), new)}
    olds = [before.candidates.get(pk) for pk in changed]
    pairs = [(old, new) for old, new in zip(olds, changed.values(), strict=True) if old and _name(old) == _name(new)]
    if len(pairs) < len(changed):
        return None
    candidates = {**before.candidates, **changed}
    if replace(before.seen, last=seen.last) == seen and all(_is_reworded(old, new) for old, new in pairs):
        return CatalogRows(seen, candidates, reworded(before.exposure, [new.spec for _, new in pairs]), now)
    return CatalogRows(seen, candidates, exposed(catalog, candidates), now)


def _as_excluded(seen: Seen, before: CatalogRows) -> dict[int, Candidate]:
    """The candidates that the catalog excludes, or no longer does, since they were read."""
    differ = {*seen.excluded} ^ {*before.seen.excluded}
    known = {pk: before.candidates[pk] for pk in differ & before.candidates.keys()}
    return {pk: replace(old, excluded=pk in seen.excluded) for pk, old in known.items()}


def _is_reworded(old: Candidate, new: Candidate) -> bool:
    """Whether nothing of it that decides what the catalog exposes has changed."""
    return replace(old, spec=new.spec) == new and old.spec.category == new.spec.category


def _is_same(old: Candidate | None, new: Candidate) -> bool:
    """A tool that nobody edited is the very one that was read before; one that only looks the same may have 1 for true."""
    return old is not None and old.spec is new.spec and old == new


def _name(found: Candidate) -> tuple[str, str, str]:
    return found.spec.server, found.spec.upstream_name, found.spec.name
