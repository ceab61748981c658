"""From rows to what a search runs on: a catalog's exposure, its index on disk, and engines over it, kept per revision.

All of it is derived. A revision is read off the rows, so that any edit, wherever it was made, is seen by the next search.
A catalog stands for its draft; of a version, what is kept goes by the hash of its content.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import Any

from catalog import background
from catalog.editions import Edition
from catalog.embedding.current import vectors_of
from catalog.exposing import exposed, seen_of
from catalog.exposure import Exposure
from catalog.generations import (
    AnyGeneration,
    Asked,
    Key,
    adopt,
    catalog_of,
    current,
    drop,
    drop_all,
    generation_of,
    key_of,
    row_of,
)
from catalog.index_folders import (
    clear_away,
    copy_index,
    drop_indexes,
    folder_of,
    stamp,
    stamp_of,
    unstamp,
)
from catalog.models import Catalog
from catalog.search.building import APART_FROM, REBUILD_FROM, build, differences
from catalog.search.choosing import ChosenEngine
from catalog.search.engine import Corpus, Engine
from catalog.search.index import UnreadableIndexError, update_index
from catalog.search.ranking import Ranking

log = logging.getLogger(__name__)
UPDATED_WITHIN = 5.0
"""Seconds that a search waits for what edits change of its index. For an index that is made anew its reader is told at once."""
Progress = Callable[[int], None]

_under_way: dict[Key, int | None] = {}
"""What index is being brought up on behalf of searches: how many tools a new one has so far, None for one that is updated."""
_locks: dict[Key, threading.RLock] = {}
_locks_guard = threading.Lock()


def revision_of(asked: Asked) -> str:
    """A short text that changes whenever anything changes that decides what the catalog offers."""
    catalog = row_of(asked)
    return current(asked).revision if catalog is None else seen_of(catalog).revision


def exposure_of(asked: Asked) -> Exposure:
    """What the catalog exposes now."""
    return current(asked).exposure


def exposure_in(catalog: Catalog, mode: str, options: Mapping[str, Any]) -> Exposure:
    """What the catalog would expose in that mode, as a page shows it before it is kept."""
    now = generation_of(catalog)
    then = Catalog(pk=catalog.pk, mode=mode, mode_options=dict(options))
    same = then.filters_as_program == catalog.filters_as_program
    return now.exposure if same else exposed(then, now.read.candidates)


def corpus_of(asked: Asked, progress: Progress | None = None) -> Corpus:
    """The searchable tools of the catalog now, and their index, brought up to this revision first."""
    generation, key = current(asked), key_of(asked)
    with _lock(key):
        if generation.corpus is None:
            generation.corpus = _corpus(key, generation, progress)
        return generation.corpus


def indexed(asked: Asked) -> int | None:
    """None if a search can answer without a wait; else how many tools the index under way, begun if need be, has so far."""
    generation, key = current(asked), key_of(asked)
    if len(generation.exposure.pool.searchable) < APART_FROM or _is_built(key, generation):
        return None
    if key not in _under_way:
        _under_way[key] = None
        background.submit(partial(_index, asked))
    _wait_for_update(key)
    return None if _is_built(key, generation) else _under_way.get(key) or 0


def _wait_for_update(key: Key) -> None:
    end = monotonic() + UPDATED_WITHIN
    while _under_way.get(key, 0) is None and monotonic() < end:
        sleep(0.01)


def make_ready(version: Edition, exposure: Exposure | None = None) -> None:
    """Have the index of a version that was just published, of a draft that exposed this or of an old one, before agents ask."""
    if exposure is not None:
        adopted, draft = adopt(version, exposure), generation_of(version.catalog)
        if draft.exposure is exposure and len(exposure.pool.searchable) >= APART_FROM:
            _copy(draft, version.pk, adopted, key_of(version))
    indexed(version)


def _copy(draft: AnyGeneration, draft_key: Key, version: AnyGeneration, key: Key) -> None:
    """The draft's index for a version of the same tools, if that is built."""
    with _lock(draft_key), _lock(key):
        if _is_built(draft_key, draft) and not _is_built(key, version):
            copy_index(draft_key, key, version.revision)


def _index(asked: Asked) -> None:
    key = key_of(asked)
    try:
        corpus_of(asked, partial(_under_way.__setitem__, key))
    finally:
        del _under_way[key]


def engine_for(asked: Asked, chosen: ChosenEngine) -> Engine:
    """The engine over the catalog as it is now. An index found damaged on the way is built anew."""
    try:
        return chosen.over(corpus_of(asked))
    except UnreadableIndexError:
        _abandon(asked)
        return chosen.over(corpus_of(asked))


def ranking_of(
    asked: Asked, chosen: ChosenEngine, query: str, limit: int, servers: frozenset[str] = frozenset()
) -> Ranking:
    """What the engine finds in the catalog as it is now; damage may also show while it reads."""
    try:
        return engine_for(asked, chosen).search(query, limit, servers)
    except UnreadableIndexError:
        _abandon(asked)
        return engine_for(asked, chosen).search(query, limit, servers)


def _abandon(asked: Asked) -> None:
    log.warning("the index of catalog %s is damaged and is built anew", asked.slug)
    forget(asked)


def forget(asked: Asked) -> None:
    """Drop what is derived of a catalog, so that the next search builds it anew."""
    key = key_of(asked)
    with _lock(key):
        drop(key)
        unstamp(folder_of(key))


def let_go(catalog: int) -> None:
    """Keep nothing of the catalog of this key, neither in memory nor on disk."""
    drop_all(catalog)
    for key in [key for key in list(_indexed) if catalog_of(key) == catalog]:
        _indexed.pop(key, None)
    drop_indexes(catalog)


@dataclass(frozen=True, slots=True)
class _Indexed:
    """What the index of a catalog holds, as this process last wrote it."""

    revision: str
    corpus: Corpus


_indexed: dict[Key, _Indexed] = {}


def _corpus(key: Key, generation: AnyGeneration, progress: Progress | None) -> Corpus:
    before = _indexed.get(key)
    tools = generation.exposure.pool.searchable
    corpus = Corpus(tools, folder_of(key), vectors_of(tools))
    if not _is_built(key, generation):
        _bring_up(corpus, before, progress)
        stamp(corpus.index, generation.revision)
    if before is not None:
        corpus.following(before.corpus)
    _indexed[key] = _Indexed(generation.revision, corpus)
    for old in clear_away(key):
        _indexed.pop(old, None)
    return corpus


def _bring_up(corpus: Corpus, before: _Indexed | None, progress: Progress | None) -> None:
    """Update the index where this process knows what it holds and little differs; else build it anew."""
    known = before.corpus.tools if before is not None and stamp_of(corpus.index) == before.revision else ()
    corpus.index.mkdir(mode=0o700, parents=True, exist_ok=True)
    unstamp(corpus.index)
    changed, removed = differences(known, corpus.tools)
    if not known or len(changed) + len(removed) > REBUILD_FROM * len(corpus.tools):
        if progress:
            progress(0)
        build(corpus.index, corpus.tools, progress)
    else:
        update_index(corpus.index, changed, removed)


def _is_built(key: Key, generation: AnyGeneration) -> bool:
    """Whether the index in the folder holds just this."""
    return stamp_of(folder_of(key)) == generation.revision


def _lock(key: Key) -> threading.RLock:
    with _locks_guard:
        return _locks.setdefault(key, threading.RLock())
