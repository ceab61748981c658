"""From rows to what a search runs on: a catalog's exposure, its index on disk, and engines over it, kept per revision.

All of it is derived. A revision is read off the rows, so that any edit, wherever it was made, is seen by the next search.
"""

import hashlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Max

from catalog import background
from catalog.exposure import Candidate, Exposure, expose
from catalog.models import Catalog, Tool
from catalog.search.building import APART_FROM, REBUILD_FROM, build
from catalog.search.choosing import ChosenEngine
from catalog.search.engine import Corpus, Engine
from catalog.search.index import UnreadableIndexError, update_index
from catalog.search.ranking import Ranking
from catalog.tools import ToolSpec

log = logging.getLogger(__name__)
Progress = Callable[[int], None]
STAMP = "revision"
"""The file beside an index that says which revision it holds; missing while the index is being changed."""


@dataclass
class Generation:
    """What one process keeps of a catalog at one revision."""

    revision: str
    exposure: Exposure
    corpus: Corpus | None = None


_under_way: dict[int, int] = {}
"""Catalogs whose index is being built on behalf of searches, and how many tools it has so far."""
_generations: dict[int, Generation] = {}
_exposing = threading.Lock()
_locks: dict[int, threading.RLock] = {}
_locks_guard = threading.Lock()


def revision_of(catalog: Catalog) -> str:
    """A short text that changes whenever anything changes that decides what the catalog offers."""
    tools = Tool.objects.filter(server__in_catalogs__catalog=catalog)
    seen = tools.aggregate(count=Count("id"), last=Max("updated_at"), server=Max("server__updated_at"))
    filters = sorted(catalog.servers.values_list("server_id", "position", "everything", "patterns"))
    chosen = list(catalog.pre_discovered.values_list("tool_id", "position"))
    excluded = sorted(catalog.excluded.values_list("id", flat=True))
    parts = (catalog.pk, seen["count"], seen["last"], seen["server"], filters, chosen, excluded)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def expose_rows(catalog: Catalog) -> Exposure:
    """Read a catalog's rows into what it exposes, uncached."""
    return expose(candidates_of(catalog), catalog.selection(), pre_discovered_keys(catalog))


def candidates_of(catalog: Catalog) -> list[Candidate]:
    """The tools of a catalog's servers, in the order of these, then by name."""
    excluded = set(catalog.excluded.values_list("id", flat=True))
    places = {pk: place for place, pk in enumerate(catalog.servers.values_list("server_id", flat=True))}
    rows = Tool.objects.filter(server__in=places).for_specs().order_by("name")
    return [candidate(tool, tool.pk in excluded) for tool in sorted(rows, key=lambda tool: places[tool.server_id])]


def pre_discovered_keys(catalog: Catalog) -> list[str]:
    """The keys of the tools that the catalog shows from the start, in their order."""
    return [str(row.tool) for row in catalog.pre_discovered.select_related("tool__server")]


def exposure_of(catalog: Catalog) -> Exposure:
    """What the catalog exposes now."""
    return generation_of(catalog).exposure


def corpus_of(catalog: Catalog, progress: Progress | None = None) -> Corpus:
    """The searchable tools of the catalog now, and their index, brought up to this revision first."""
    generation = generation_of(catalog)
    with _lock(catalog.pk):
        if generation.corpus is None:
            generation.corpus = _corpus(catalog.pk, generation, progress)
        return generation.corpus


def indexed(catalog: Catalog) -> int | None:
    """None if a search can answer without a wait; else how many tools the index under way, begun if need be, has so far."""
    generation = generation_of(catalog)
    if len(generation.exposure.pool.searchable) < APART_FROM or _stamp(_folder(catalog.pk)) == generation.revision:
        return None
    if catalog.pk not in _under_way:
        _under_way[catalog.pk] = 0
        background.submit(partial(_index, catalog))
    return _under_way[catalog.pk]


def _index(catalog: Catalog) -> None:
    try:
        corpus_of(catalog, partial(_under_way.__setitem__, catalog.pk))
    finally:
        del _under_way[catalog.pk]


def engine_for(catalog: Catalog, chosen: ChosenEngine) -> Engine:
    """The engine over the catalog as it is now. An index found damaged on the way is built anew."""
    try:
        return chosen.over(corpus_of(catalog))
    except UnreadableIndexError:
        _abandon(catalog)
        return chosen.over(corpus_of(catalog))


def ranking_of(
    catalog: Catalog, chosen: ChosenEngine, query: str, limit: int, servers: frozenset[str] = frozenset()
) -> Ranking:
    """What the engine finds in the catalog as it is now; damage may also show while it reads."""
    try:
        return engine_for(catalog, chosen).search(query, limit, servers)
    except UnreadableIndexError:
        _abandon(catalog)
        return engine_for(catalog, chosen).search(query, limit, servers)


def _abandon(catalog: Catalog) -> None:
    log.warning("the index of catalog %s is damaged and is built anew", catalog.slug)
    forget(catalog)


def forget(catalog: Catalog) -> None:
    """Drop what is derived of a catalog, so that the next search builds it anew."""
    with _lock(catalog.pk):
        _generations.pop(catalog.pk, None)
        (_folder(catalog.pk) / STAMP).unlink(missing_ok=True)


def generation_of(catalog: Catalog) -> Generation:
    revision = revision_of(catalog)
    with _exposing:
        kept = _generations.get(catalog.pk)
        if kept is None or kept.revision != revision:
            kept = _generations[catalog.pk] = Generation(revision, expose_rows(catalog))
    return kept


@dataclass(frozen=True, slots=True)
class _Indexed:
    """What the index of a catalog holds, as this process last wrote it."""

    revision: str
    tools: dict[str, ToolSpec]


_indexed: dict[int, _Indexed] = {}


def _folder(pk: int) -> Path:
    return Path(settings.PEGBOARD_INDEX_DIR) / str(pk)


def _corpus(pk: int, generation: Generation, progress: Progress | None) -> Corpus:
    corpus = Corpus(generation.exposure.pool.searchable, _folder(pk))
    if _stamp(corpus.index) != generation.revision:
        _bring_up(corpus, _indexed.get(pk), progress)
        (corpus.index / STAMP).write_text(generation.revision)
    _indexed[pk] = _Indexed(generation.revision, {tool.name: tool for tool in corpus.tools})
    return corpus


def _bring_up(corpus: Corpus, before: _Indexed | None, progress: Progress | None) -> None:
    """Update the index where this process knows what it holds and little differs; else build it anew."""
    known = before.tools if before is not None and _stamp(corpus.index) == before.revision else None
    corpus.index.mkdir(mode=0o700, parents=True, exist_ok=True)
    (corpus.index / STAMP).unlink(missing_ok=True)
    changed = [tool for tool in corpus.tools if known is None or known.get(tool.name) != tool]
    removed = (known or {}).keys() - {tool.name for tool in corpus.tools}
    if known is None or len(changed) + len(removed) > REBUILD_FROM * len(corpus.tools):
        build(corpus.index, corpus.tools, progress)
    else:
        update_index(corpus.index, changed, removed)


def _stamp(index: Path) -> str:
    try:
        return (index / STAMP).read_text()
    except FileNotFoundError:
        return ""


def candidate(tool: Tool, excluded: bool) -> Candidate:
    return Candidate(
        spec=tool.to_spec(),
        gone=tool.gone_at is not None,
        server_enabled=tool.server.enabled,
        enabled=tool.enabled,
        excluded=excluded,
    )


def _lock(pk: int) -> threading.RLock:
    with _locks_guard:
        return _locks.setdefault(pk, threading.RLock())
