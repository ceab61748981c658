"""From rows to what a search runs on: a catalog's exposure, its index on disk, and engines over it, kept per revision.

All of it is derived. A revision is read off the rows, so that any edit, wherever it was made, is seen by the next search.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from catalog import background
from catalog.embedding.current import vectors_of
from catalog.exposing import CatalogRows, exposed, read_rows, seen_of
from catalog.exposure import Exposure
from catalog.models import Catalog
from catalog.search.building import APART_FROM, REBUILD_FROM, build, differences
from catalog.search.choosing import ChosenEngine
from catalog.search.engine import Corpus, Engine
from catalog.search.index import UnreadableIndexError, update_index
from catalog.search.ranking import Ranking

log = logging.getLogger(__name__)
Progress = Callable[[int], None]
STAMP = "revision"
"""The file beside an index that says which revision it holds; missing while the index is being changed."""


@dataclass
class Generation:
    """What one process keeps of a catalog at one revision."""

    read: CatalogRows
    corpus: Corpus | None = None

    @property
    def revision(self) -> str:
        return self.read.seen.revision

    @property
    def exposure(self) -> Exposure:
        return self.read.exposure


_under_way: dict[int, int] = {}
"""Catalogs whose index is being built on behalf of searches, and how many tools it has so far."""
_generations: dict[int, Generation] = {}
_exposing = threading.Lock()
_locks: dict[int, threading.RLock] = {}
_locks_guard = threading.Lock()


def revision_of(catalog: Catalog) -> str:
    """A short text that changes whenever anything changes that decides what the catalog offers."""
    return seen_of(catalog).revision


def exposure_of(catalog: Catalog) -> Exposure:
    """What the catalog exposes now."""
    return generation_of(catalog).exposure


def exposure_in(catalog: Catalog, mode: str, options: Mapping[str, Any]) -> Exposure:
    """What the catalog would expose in that mode, as a page shows it before it is kept."""
    now = generation_of(catalog)
    then = Catalog(pk=catalog.pk, mode=mode, mode_options=dict(options))
    same = then.filters_as_program == catalog.filters_as_program
    return now.exposure if same else exposed(then, now.read.candidates)


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
    seen = seen_of(catalog)
    with _exposing:
        kept = _generations.get(catalog.pk)
        if kept is None or kept.read.seen != seen:
            kept = _generations[catalog.pk] = Generation(read_rows(catalog, seen, kept.read if kept else None))
    return kept


@dataclass(frozen=True, slots=True)
class _Indexed:
    """What the index of a catalog holds, as this process last wrote it."""

    revision: str
    corpus: Corpus


_indexed: dict[int, _Indexed] = {}


def _folder(pk: int) -> Path:
    return Path(settings.PEGBOARD_INDEX_DIR) / str(pk)


def _corpus(pk: int, generation: Generation, progress: Progress | None) -> Corpus:
    before = _indexed.get(pk)
    tools = generation.exposure.pool.searchable
    corpus = Corpus(tools, _folder(pk), vectors_of(tools))
    if _stamp(corpus.index) != generation.revision:
        _bring_up(corpus, before, progress)
        (corpus.index / STAMP).write_text(generation.revision)
    if before is not None:
        corpus.following(before.corpus)
    _indexed[pk] = _Indexed(generation.revision, corpus)
    return corpus


def _bring_up(corpus: Corpus, before: _Indexed | None, progress: Progress | None) -> None:
    """Update the index where this process knows what it holds and little differs; else build it anew."""
    known = before.corpus.tools if before is not None and _stamp(corpus.index) == before.revision else ()
    corpus.index.mkdir(mode=0o700, parents=True, exist_ok=True)
    (corpus.index / STAMP).unlink(missing_ok=True)
    changed, removed = differences(known, corpus.tools)
    if not known or len(changed) + len(removed) > REBUILD_FROM * len(corpus.tools):
        build(corpus.index, corpus.tools, progress)
    else:
        update_index(corpus.index, changed, removed)


def _stamp(index: Path) -> str:
    try:
        return (index / STAMP).read_text()
    except FileNotFoundError:
        return ""


def _lock(pk: int) -> threading.RLock:
    with _locks_guard:
        return _locks.setdefault(pk, threading.RLock())
